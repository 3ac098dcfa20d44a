"""Events while they happen: a source that does not end, the same rules, bounded memory."""
