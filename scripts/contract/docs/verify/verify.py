import hashlib, hmac, re, time

def is_genuine(secret: str, header: str, raw_body: bytes) -> bool:
    parts = re.fullmatch(r"t=([0-9]{10,}),v1=([0-9a-f]{64})", header)
    if parts is None or int(time.time()) - int(parts[1]) > 300:
        return False
    signed = parts[1].encode() + b"." + raw_body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, parts[2])
