<?php
function is_genuine(string $secret, string $header, string $rawBody): bool {
    if (!preg_match('/\At=([0-9]{10,}),v1=([0-9a-f]{64})\z/', $header, $parts)) return false;
    if (time() - (int) $parts[1] > 300) return false;
    return hash_equals(hash_hmac('sha256', "$parts[1].$rawBody", $secret), $parts[2]);
}
