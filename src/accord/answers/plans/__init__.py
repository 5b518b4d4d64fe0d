"""What each command asks, as a frozen value that can be kept and repeated: a plan → its answer."""
