"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.LocalStackError = void 0;
exports.reasonOf = reasonOf;
/**
 * A failure of the local stack that its user can repair. `message` is one clear line that says how;
 * it is printed alone, without a stack.
 */
class LocalStackError extends Error {
}
exports.LocalStackError = LocalStackError;
/** The first line of what an unknown failure says. */
function reasonOf(error) {
    const text = error instanceof Error ? error.message : String(error);
    return text.trim().split('\n')[0] ?? '';
}
//# sourceMappingURL=local-stack-error.js.map