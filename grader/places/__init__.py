"""Places where instructors grade: what each is told of a grade, and what is uploaded there."""
