"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.deliverEvent = void 0;
var deliver_event_1 = require("./deliver-event");
Object.defineProperty(exports, "deliverEvent", { enumerable: true, get: function () { return deliver_event_1.deliverEvent; } });
//# sourceMappingURL=index.js.map