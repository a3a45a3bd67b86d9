"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.SNIPPET_BYTES = exports.MAX_READ_BYTES = void 0;
exports.readSnippet = readSnippet;
/** What is read of a response before the connection is dropped: enough for every honest receiver's answer. */
exports.MAX_READ_BYTES = 16 * 1024;
/** What is kept of it, for people who look at a failed attempt. */
exports.SNIPPET_BYTES = 1024;
/** Control characters, which terminals obey and some databases and viewers choke on; tab and line ends stay. */
const CONTROL_CHARACTERS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;
/**
 * Reads the beginning of a response's body and keeps the first 1 KiB as text. Never rejects: a body that drips,
 * breaks or doesn't end gives what had come. A response read to its end leaves its connection to the pool; any
 * other takes it down, since the rest would have to be read first.
 *
 * @param signal ends the reading at the deadline of the attempt
 * @param maxWaitMs ends it earlier
 */
function readSnippet(response, signal, maxWaitMs) {
    return new Promise((resolve) => {
        const kept = [];
        let size = 0;
        const finish = () => {
            clearTimeout(timer);
            signal.removeEventListener('abort', finish);
            if (!response.complete)
                response.destroy();
            resolve(toSnippet(Buffer.concat(kept)));
        };
        const timer = setTimeout(finish, maxWaitMs);
        signal.addEventListener('abort', finish);
        response.on('data', (chunk) => {
            if (size < exports.SNIPPET_BYTES)
                kept.push(chunk.subarray(0, exports.SNIPPET_BYTES - size));
            size += chunk.length;
            if (size > exports.MAX_READ_BYTES)
                finish();
        });
        response.on('end', finish);
        response.on('error', finish);
        response.on('close', finish);
    });
}
/** Bytes as text that can be stored and shown: lossy UTF-8, without half a character at the end. */
function toSnippet(bytes) {
    // In streaming mode the decoder keeps an unfinished last character to itself.
    const text = new TextDecoder().decode(bytes, { stream: true });
    return text.replace(CONTROL_CHARACTERS, '\uFFFD');
}
//# sourceMappingURL=read-response.js.map