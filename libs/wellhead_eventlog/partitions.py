"""Where a stream lives: a fixed number of partitions, each in one Cluster slot (architecture §3)."""

import zlib

PARTITIONS = 64

# Partition n's hash tag falls into slot 256 n + 128 of the 16384: the middle of its share, so that any even split of
# the slots over primaries is an even split of the partitions. Changing a line would lose every stream stored under it.
# fmt: off
TAGS: tuple[str, ...] = (
    "00pc5", "01hh9", "02kh5", "03jh1", "04ea5", "05da1", "062km", "07fa9",
    "08ys4", "09ax8", "10gxz", "11nqf", "120vb", "131vf", "14cxj", "15bxn",
    "16mh5", "17lh1", "18fpa", "198r", "20bnl", "21cnh", "22qlt", "23igx",
    "24bbq", "25cbu", "26hka", "27ike", "28cwu", "29bwq", "30dw3", "31ew7",
    "325fb", "33al6", "34fhj", "35ghn", "36un2", "37tn6", "38g9f", "39f9b",
    "40zp2", "417qn", "42x42", "43y46", "44or2", "45nr6", "46m62", "47l66",
    "48jz9", "49rq5", "50esg", "51dsc", "52v17", "53w13", "54asw", "55hzk",
    "562qb", "573qf", "58lcf", "59ejz", "60h9c", "61atw", "62b0s", "63jb",
)
# fmt: on


def partition_of(name: str) -> int:
    """The partition of a stream's name (`kind/id`); the same for ever, in every process and version."""
    return zlib.crc32(name.encode()) % PARTITIONS
