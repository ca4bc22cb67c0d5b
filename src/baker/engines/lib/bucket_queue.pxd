"""A queue by promise: items wait in buckets, and one of the lowest bucket that has any comes next.

An item is a number. The items of a bucket form a list, whose links (the next item, or NO_ITEM) the caller keeps with
whatever the numbers stand for:

    link = queue_push(queue, buckets, value, item)      the item comes before those of its bucket
    before = queue_append(queue, buckets, value, item)  or behind them: it is the link of `before`, if there is one
    item = queue_first(queue, buckets)
    queue_drop_first(queue, link of item)

`buckets`, how many there are, is a constant of the caller: kept in the queue it would cost the alternate-colour search
0.8 % of its instructions. Values are not negative; those beyond the last bucket go into that.
"""

from libc.stdint cimport int32_t
from libc.string cimport memset

cdef enum:
    NO_ITEM = -1
    MOST_BUCKETS = 8192

ctypedef struct BucketQueue:
    int lowest                  # no bucket below has an item
    int32_t first[MOST_BUCKETS]  # of each bucket, or NO_ITEM
    int32_t last[MOST_BUCKETS]  # the same where `queue_append` has put an item

cdef inline void queue_clear(BucketQueue* queue, int buckets) noexcept nogil:
    """Empty all buckets; `buckets` is how many there are, here and in all that follows."""
    queue.lowest = buckets
    memset(queue.first, 255, buckets * sizeof(int32_t))

cdef inline int queue_bucket(BucketQueue* queue, int buckets, int value) noexcept nogil:
    """The bucket of a value, the last one for those beyond; an item is about to come into it."""
    cdef int bucket = min(value, buckets - 1)
    if bucket < queue.lowest:
        queue.lowest = bucket
    return bucket

cdef inline int32_t queue_push(BucketQueue* queue, int buckets, int value, int32_t item) noexcept nogil:
    """Put an item before those of its bucket; returns its link."""
    cdef int bucket = queue_bucket(queue, buckets, value)
    cdef int32_t link = queue.first[bucket]
    queue.first[bucket] = item
    return link

cdef inline int32_t queue_append(BucketQueue* queue, int buckets, int value, int32_t item) noexcept nogil:
    """Put an item, with NO_ITEM for its link, behind those of its bucket; returns the last of them, or NO_ITEM."""
    cdef int bucket = queue_bucket(queue, buckets, value)
    cdef int32_t before = queue.last[bucket]
    if queue.first[bucket] == NO_ITEM:
        queue.first[bucket] = item
        before = NO_ITEM
    queue.last[bucket] = item
    return before

cdef inline int32_t queue_first(BucketQueue* queue, int buckets) noexcept nogil:
    """The item that comes next, or NO_ITEM."""
    cdef int bucket = queue.lowest
    while bucket < buckets and queue.first[bucket] == NO_ITEM:
        bucket += 1
    queue.lowest = bucket
    return queue.first[bucket] if bucket < buckets else NO_ITEM

cdef inline void queue_drop_first(BucketQueue* queue, int32_t link) noexcept nogil:
    """Take out the item of `queue_first`, which has this link."""
    queue.first[queue.lowest] = link
