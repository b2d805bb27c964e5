"""What an instructor writes: rubric and cases in strict YAML, loaded and validated; and what is handed in."""
