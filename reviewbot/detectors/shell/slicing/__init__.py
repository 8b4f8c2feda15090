"""Program slices of shell: what of a script decides whether control gets from one place to another."""
