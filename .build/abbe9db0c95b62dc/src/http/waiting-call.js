"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.waitingCallOf = waitingCallOf;
/** How much memory a waiting call holds, and a way to hear that its client has left. */
function waitingCallOf(ctx, bytes) {
    return {
        bytes,
        onGone(listener) {
            const onClose = () => {
                if (!ctx.res.writableEnded)
                    listener();
            };
            ctx.res.once('close', onClose);
            return () => void ctx.res.off('close', onClose);
        },
    };
}
//# sourceMappingURL=waiting-call.js.map