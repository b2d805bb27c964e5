"""The command: arguments, which job, exit codes."""
