"""The other side of the wall: what runs beside a submission. It imports next to nothing, and no answer."""
