"""Courses: rubrics and cases in strict YAML, loaded, validated, cached and bundled."""
