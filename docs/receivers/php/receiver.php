<?php

// Receives Everpost's deliveries without any package. ../README.md says how to run it.

declare(strict_types=1);

/** Everpost sends at most a little more than 256 KiB. */
const MAX_BODY_BYTES = 1024 * 1024;

function env(string $name, string $otherwise): string
{
    $value = getenv($name);
    return $value === false || $value === '' ? $otherwise : $value;
}

function finish(int $status, string $text = ''): never
{
    http_response_code($status);
    header('Content-Type: text/plain');
    echo $text;
    exit;
}

/** Whether one of the signatures is right: of the id, the time and the body together, compared in constant time. */
function isGenuine(string $secret, string $body): bool
{
    // Standard Webhooks: the HMAC key is what stands after "whsec_", decoded from base64.
    $key = (string) base64_decode((string) preg_replace('/^whsec_/', '', $secret));
    $signed = ($_SERVER['HTTP_WEBHOOK_ID'] ?? '') . '.' . ($_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '') . '.' . $body;
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    $genuine = false;
    // During a rotation of the secret there are two signatures: one of the old secret and one of the new one.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
        $genuine = hash_equals($expected, $signature) || $genuine;
    }
    return $genuine;
}

function isRecent(string $header, int $toleranceSeconds): bool
{
    if ($toleranceSeconds === 0) {
        return true;
    }
    return preg_match('/^[0-9]{1,15}$/D', $header) === 1 && abs(time() - (int) $header) <= $toleranceSeconds;
}

/**
 * Does the work once for each event, however often it arrives. Throw to make Everpost retry.
 *
 * In your service this is a table with a unique column, written in the transaction that does the work:
 * INSERT INTO handled_events (id) VALUES (?) ON CONFLICT DO NOTHING: no new row means a repeat.
 * Here a file takes the place of the row: only one process can create it.
 */
function handle(string $id): void
{
    $folder = sys_get_temp_dir() . '/everpost-handled-events';
    if (!is_dir($folder) && !@mkdir($folder, 0700) && !is_dir($folder)) {
        throw new RuntimeException("$folder can't be created");
    }
    $row = "$folder/$id";
    $created = @fopen($row, 'x');
    if ($created === false) {
        if (!file_exists($row)) {
            throw new RuntimeException("$row can't be created");
        }
        return;
    }
    fclose($created);
    try {
        error_log("handled event $id");
    } catch (Throwable $error) {
        unlink($row);
        throw $error;
    }
}

// The endpoint's whole signing secret.
$secret = env('WEBHOOK_SECRET', '');
// 0 turns the check off.
$tolerance = env('TIMESTAMP_TOLERANCE_SECONDS', '300');

if ($secret === '' || !ctype_digit($tolerance)) {
    error_log('Set WEBHOOK_SECRET to the signing secret of the endpoint, TIMESTAMP_TOLERANCE_SECONDS to a number.');
    finish(500);
}
if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    finish(405, 'POST only');
}

// The exact bytes of the body.
$body = file_get_contents('php://input', false, null, 0, MAX_BODY_BYTES + 1);
if ($body === false) {
    finish(400, 'incomplete body');
}
if (strlen($body) > MAX_BODY_BYTES) {
    finish(413, 'body too large');
}

if (!isGenuine($secret, $body)) {
    finish(401, 'wrong signature');
}
// The signature covers this time.
if (!isRecent($_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '', (int) $tolerance)) {
    finish(401, 'stale timestamp');
}
// Everpost writes the id first, so nothing is parsed before the delivery is known to be genuine and new.
if (preg_match('/^\{"id":([0-9]+),/', $body, $match) !== 1) {
    finish(401, 'no event id');
}

try {
    handle($match[1]);
} catch (Throwable $error) {
    error_log((string) $error);
    finish(500);
}
finish(204);
