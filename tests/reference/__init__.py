"""Rating systems in plain Python at 40 digits, written from the papers alone; slow, and only for tests."""
