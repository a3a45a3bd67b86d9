<?php

/** $rawBody: the bytes as they came, before any JSON parser: file_get_contents('php://input'). */
function is_genuine(string $secret, string $rawBody, ?string $signature): bool
{
    $expected = 'sha256=' . hash_hmac('sha256', $rawBody, $secret);
    return hash_equals($expected, $signature ?? '');
}
