"""What everything else stands on: values, documents, files, limits, checked arguments."""
