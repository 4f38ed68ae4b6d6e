"""The event log: append, read, follow and fold streams (architecture §3).

Streams are known by kind and id, their commits by bytes and digests; no game is known here. `port` is the contract,
`memory` its executable specification, `redis_store` the store that keeps what it is told.
"""
