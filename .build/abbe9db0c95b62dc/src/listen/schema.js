"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.listenQuery = void 0;
const zod_1 = require("zod");
const event_pattern_1 = require("../domain/event-pattern");
const MAX_PATTERNS = 50;
/** Query of GET /api/v1/webhooks/listen. */
exports.listenQuery = zod_1.z.strictObject({
    events: zod_1.z
        .string()
        .default('*')
        .transform((text) => text.split(',').map((part) => part.trim()))
        .pipe(zod_1.z
        .array(zod_1.z.string().refine(event_pattern_1.isEventPattern, {
        error: `must be patterns with commas between them; a pattern is "*", an event type or "<prefix>.*"; event types are ${event_pattern_1.EVENT_TYPE_RULE}`,
    }))
        .max(MAX_PATTERNS, `must hold at most ${MAX_PATTERNS} patterns`))
        .meta({ description: 'Patterns of the event types, with commas between them; all of them when left out.' }),
});
//# sourceMappingURL=schema.js.map