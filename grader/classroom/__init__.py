"""Many submissions: what the LMS gave goes in, grades for everybody come out."""
