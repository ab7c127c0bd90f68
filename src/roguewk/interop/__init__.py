"""What other libraries speak: environments, logs and interfaces."""
