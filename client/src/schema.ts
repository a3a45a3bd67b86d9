// Made by `npm run client:generate` from the OpenAPI document. Don't edit.

export interface paths {
    "/api/cost-estimator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the priced services
         * @description The catalog, in a stable order: the usual choice of each service comes first. Both filters can be combined. Send `If-None-Match` with the `ETag` of the previous answer to get 304 while nothing has changed.
         */
        get: operations["getCatalog"];
        put?: never;
        /**
         * Estimate monthly and annual cost
         * @description Multiplies and adds exact decimals, and rounds half up at the end: the total is the sum of the exact lines. Names ignore case. Nothing is priced in part: with one wrong item, the answer lists all problems. Unknown fields of an item are ignored, so whole catalog entries can be pasted.
         */
        post: operations["estimateCost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cost-estimator/equivalents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what may be compared
         * @description For each entry of the catalog, what the other two providers have in its place, with the reason: the same engine, as many vCPUs, memory within 10 %, the same copies, a complete price, in the same part of the world. Where there is no such entry, `offers` is empty and `reason` says why.
         */
        get: operations["listEquivalents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check a key
         * @description The account and the scopes of the calling key. Works with a key of any product, whatever its scopes.
         */
        get: operations["getOwnKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the account's usage
         * @description Calls by day and key, calls that got 429 by reason, and delivery attempts by day; how much of the quota, of the limits of a minute and of the budgets is used; and when the quota runs out at this month's pace. Days are in UTC. Calls of the last seconds may be missing. The dashboard shows the same, and its own calls are not counted. Needs the scope `usage:read`.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Newest first, by the time at which their events were accepted. Filters can be combined. If few deliveries match, a page may be shorter than `limit`: continue while `next_cursor` is not null. Needs the scope `events:read`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery and its attempts
         * @description The delivery with its newest 100 attempts. A replay is a new run with its own attempts. `attempts_cursor` continues in `GET /deliveries/{delivery_id}/attempts`. Needs the scope `events:read`.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/{delivery_id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attempts of a delivery
         * @description Every attempt with an outcome, of all runs, newest first by its start. The delivery itself shows the newest 100. Needs the scope `events:read`.
         */
        get: operations["listDeliveryAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/{delivery_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a delivery
         * @description Makes no further attempt. A request under way may still get an answer: a 2xx makes the delivery `delivered`. Needs the scope `deliveries:write`.
         */
        post: operations["cancelDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a finished delivery again
         * @description Starts a new run of a delivered, failed or cancelled delivery, with a full schedule. Of two concurrent calls, one starts it. A paused endpoint gets it after the resume. A delivery has at most 100 runs. Needs the scope `deliveries:write`.
         */
        post: operations["replayDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/{delivery_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a delivery now
         * @description Makes the next attempt now. It adds no attempt, and the schedule continues from there. With 503 (`temporal_unavailable`) nothing was changed. Needs the scope `deliveries:write`.
         */
        post: operations["retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List endpoints
         * @description The account's endpoints with their health, newest first. Also works as a check of a webhook key: 200 if it is valid. Needs the scope `endpoints:read`.
         */
        get: operations["listEndpoints"];
        put?: never;
        /**
         * Register an endpoint
         * @description Registers a destination. It gets events ingested from now on whose type matches one of its patterns. Only this answer shows the signing secret. Needs the scope `endpoints:write`.
         */
        post: operations["createEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{endpoint_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an endpoint
         * @description The endpoint with its options and its health, without its signing secret. Needs the scope `endpoints:read`.
         */
        get: operations["getEndpoint"];
        put?: never;
        post?: never;
        /**
         * Remove an endpoint
         * @description Its deliveries in flight are cancelled, and its history stays. A request under way may still get an answer: a 2xx makes that delivery `delivered`. Needs the scope `endpoints:write`.
         */
        delete: operations["removeEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change an endpoint
         * @description Absent fields stay unchanged. A changed `url` applies to the next attempt of deliveries in flight, `events` and `options.filter` to the next event, `options.retry_schedule` to new deliveries, the other options to the next attempt. `options` are merged one by one; null switches one off. A `url` with another scheme, host or port needs `options.authentication` and `options.headers` again, if the endpoint has them, or a key with `secrets:read`. Needs the scope `endpoints:write`.
         */
        patch: operations["changeEndpoint"];
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{endpoint_id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attempts to an endpoint
         * @description Attempts with an outcome, of all deliveries to the endpoint, newest first by their start. Filters can be combined. If few attempts match, a page may be shorter than `limit`: continue while `next_cursor` is not null. Needs the scope `events:read`.
         */
        get: operations["listEndpointAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{endpoint_id}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an endpoint's health
         * @description Its present health, with the last error, and its attempts by five minutes for up to a day or by hour for up to 30 days: causes of failures, retries and latencies. Counted by the time of the answer, and complete to within a second or two. Retries, replays and test events count too. Needs the scope `endpoints:read`.
         */
        get: operations["getEndpointHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{endpoint_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause an endpoint
         * @description Holds its deliveries, including those that wait for a retry. Events that arrive during the pause are stored and delivered after the resume; no attempt is used up. A second call changes nothing, and a disabled endpoint stays disabled, because it already holds its deliveries. Needs the scope `endpoints:write`.
         */
        post: operations["pauseEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{endpoint_id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recover an endpoint
         * @description Sends again the deliveries that became `failed` since a given time, after an outage of the endpoint. The same as a replay with `state: failed`, this `endpoint_id`, and `completed_after`. Needs the scope `deliveries:write`.
         */
        post: operations["recoverEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{endpoint_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused or disabled endpoint
         * @description Its held deliveries continue, the oldest first. A second call changes nothing. Needs the scope `endpoints:write`.
         */
        post: operations["resumeEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{endpoint_id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an endpoint's secrets
         * @description The signing secret, and the values of the static headers. Each call is recorded in the audit log. Needs the scope `secrets:read`.
         */
        get: operations["getSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{endpoint_id}/secret/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activate the next signing secret
         * @description Completes a rotation: from the next attempt on, the next secret is the only one. Needs the scopes `endpoints:write` and `secrets:read`.
         */
        post: operations["activateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{endpoint_id}/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a rotation of the signing secret
         * @description Creates the next secret. From the next attempt on, `X-Webhook-Signature` uses the current secret, `X-Webhook-Signature-Next` the next one, and `webhook-signature` has both, until the next one is activated: by a call, or automatically after 24 hours. Needs the scopes `endpoints:write` and `secrets:read`.
         */
        post: operations["rotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{endpoint_id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an endpoint's statistics
         * @description Deliveries of events accepted in the window, by state; the share that was delivered; the attempts of their current runs, and how long the receiver took. At most the newest 10,000 deliveries are counted. Needs the scope `endpoints:read`.
         */
        get: operations["getEndpointStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{endpoint_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends an event only to this endpoint, whatever its patterns and filter: of the type `endpoint.test` with a message, unless the body has another type or data. It is an event like any other: stored, signed, retried, and held while the endpoint is paused. Needs the scope `events:write`.
         */
        post: operations["testEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{endpoint_id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify an endpoint
         * @description Sends a challenge to an unverified endpoint, and waits for the answer: `verification` has the result. The challenge counts against the budget of deliveries. An endpoint that is verified, or need not be, gets none. Needs the scope `endpoints:write`.
         */
        post: operations["verifyEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{endpoint_id}/waiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count what waits for an endpoint
         * @description How many unfinished deliveries the endpoint has, and what they wait for. At most 10,000 are counted. Needs the scope `events:read`.
         */
        get: operations["countWaiting"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Newest first, without their data. Filters can be combined. If few events match, a page may be shorter than `limit`: continue while `next_cursor` is not null. Needs the scope `events:read`.
         */
        get: operations["listEvents"];
        put?: never;
        /**
         * Ingest an event
         * @description Accepts an event for delivery to every endpoint whose patterns match its type. 202 means stored: the event is journaled by a majority of the database. A repeat with the same `idempotency_key`, in the body or in the `Idempotency-Key` header, within 24 hours gets 200 with the original event and delivers nothing again. Needs the scope `events:write`.
         */
        post: operations["ingestEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event and its deliveries
         * @description The event with its `data` as sent, its status, and its newest 100 attempts to all destinations. `GET /deliveries/{delivery_id}/attempts` lists all attempts to one of them. Needs the scope `events:read`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/events/{event_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event again
         * @description Starts a new run of each finished delivery of the event, or of those to the given endpoints. Unfinished deliveries continue unchanged, and are listed in `skipped`. Endpoints that were no destination of the event do not get it. Needs the scope `deliveries:write`.
         */
        post: operations["replayEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/events/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ingest many events
         * @description Accepts 1 to 100 events in one request of at most 2 MiB, each like `ingestEvent`: `results` has the answer to each event in its place, and a refused event does not affect the others. Events are accepted in order. A batch counts as one call for each event, all of them or none: a batch that exceeds the rest of the limits gets 429, and none of it is ingested. Events that exceed the budget of deliveries have 429 as their result. After a 503, send the batch again: events with an `idempotency_key` are never accepted twice. Needs the scope `events:write`.
         */
        post: operations["ingestBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the account's health
         * @description How many endpoints are in each state, and the account's attempts by five minutes for up to a day or by hour for up to 30 days. Attempts to endpoints that were removed meanwhile are included. Needs the scope `endpoints:read`.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/listen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow events as they are accepted
         * @description Server-sent events (`text/event-stream`), one for each event of the account that is accepted from now on and matches `events`, in the order of acceptance: `event: event`, whose data is JSON with `id`, `type`, `timestamp` and `body`, the body of its delivery. Listening does not replace or change deliveries. `event: position` has the position of the stream; send the last `id` as `Last-Event-ID` to resume after it, on any process. `event: gap` means that the database does not reach back that far, `event: end` that the key was revoked or expired. An account can have 5 streams on each API process, and each counts as one call. `everpost listen` uses this operation. Needs the scope `events:read`.
         */
        get: operations["listen"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List replays
         * @description The newest first. Needs the scope `events:read`.
         */
        get: operations["listReplays"];
        put?: never;
        /**
         * Replay many deliveries
         * @description Sends finished deliveries again, the oldest first, at a given rate, as a durable job. Its deliveries are fixed now: deliveries that finish later, including its own, are not among them. Each is replayed once. Needs the scope `deliveries:write`.
         */
        post: operations["createReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/replays/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a replay and its progress
         * @description It has ended if `state` is not `running`. The deliveries that it started are retried as usual. Needs the scope `events:read`.
         */
        get: operations["getReplay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/replays/{job_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a replay
         * @description Starts no further deliveries. Those already started continue; cancel them one by one. Needs the scope `deliveries:write`.
         */
        post: operations["cancelReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    delivery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive a delivery
         * @description The POST that an endpoint gets for each matching event. Verify the signature over the raw body, deduplicate by the id, and answer 2xx within 30 seconds; anything else is retried. The headers of the endpoint's options are added.
         */
        post: operations["receiveDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AcceptedEvent: {
            /**
             * @description Number of matching destinations.
             * @example 1
             */
            deliveries: number;
            duplicate: boolean;
            /**
             * Format: int64
             * @description Has up to 16 digits, and is below 2^53.
             * @example 1001
             */
            id: number;
            /**
             * @description The type or the data of the repeat differs from the original.
             * @constant
             */
            payload_mismatch?: true;
            /**
             * @description Unix seconds.
             * @example 1767225600
             */
            timestamp: number;
            type: string;
        };
        AcceptedResult: {
            /**
             * @description Number of matching destinations.
             * @example 1
             */
            deliveries: number;
            duplicate: boolean;
            /**
             * Format: int64
             * @description Has up to 16 digits, and is below 2^53.
             * @example 1001
             */
            id: number;
            /**
             * @description The type or the data of the repeat differs from the original.
             * @constant
             */
            payload_mismatch?: true;
            /** @constant */
            status: 202;
            /**
             * @description Unix seconds.
             * @example 1767225600
             */
            timestamp: number;
            type: string;
        };
        AccountHealth: {
            /** @description Why attempts of the window failed, each HTTP status by itself; the last seen first. */
            causes: components["schemas"]["CauseOfFailures"][];
            endpoints: components["schemas"]["EndpointsByState"];
            /** @description The oldest first. Spans without an answered attempt are left out. */
            series: components["schemas"]["AttemptSpan"][];
            /** Format: date-time */
            since: string;
            totals: components["schemas"]["AttemptTotals"];
            /** Format: date-time */
            until: string;
            window: components["schemas"]["HealthWindow"];
        };
        ApiError: {
            code: components["schemas"]["ErrorCode"];
            /** @description Each problem of the request and its place; the first 20. */
            details?: components["schemas"]["ErrorDetail"][];
            /** @description A sentence that says what to do. */
            error: string;
            /** @description The same as the header X-Request-Id; log lines contain it too. */
            request_id: string;
        };
        ApiKey: {
            account_id: string;
            /**
             * Format: date-time
             * @description When the key expires; null if it never does.
             */
            expires_at: string | null;
            label: string;
            product: components["schemas"]["Product"];
            /** @description The scopes of the key; empty for a key of another product. */
            scopes: components["schemas"]["Scope"][];
            tier: string;
        };
        Attempt: {
            error: string | null;
            error_code: components["schemas"]["AttemptErrorCode"] | null;
            /** @description Until the status arrived, or until the attempt was given up. */
            latency_ms: number;
            /** @description Starts at 1 in each run. */
            number: number;
            /** @description The first 1,024 bytes of the body as text; null without a response. */
            response_snippet: string | null;
            /** @description 1, and one more with each replay. */
            run: number;
            /** Format: date-time */
            started_at: string;
            status_code: number | null;
            trigger: components["schemas"]["AttemptTrigger"];
            /** @description What was odd about a response whose status counts: it broke off, did not end within two seconds, or is not valid HTTP. Null if nothing was. */
            warning: string | null;
        };
        AttemptCounts: {
            failed: number;
            succeeded: number;
            total: number;
        };
        /** @enum {string} */
        AttemptErrorCode: "http_status" | "timeout" | "dns_error" | "connection_refused" | "connection_reset" | "tls_error" | "blocked_address" | "proxy_error" | "protocol_error";
        AttemptOfEndpoint: {
            delivery_id: string;
            error: string | null;
            error_code: components["schemas"]["AttemptErrorCode"] | null;
            /**
             * Format: int64
             * @description Has up to 16 digits, and is below 2^53.
             * @example 1001
             */
            event_id: number;
            /** @description Null if the event has just been deleted. */
            event_type: string | null;
            /** @description Until the status arrived, or until the attempt was given up. */
            latency_ms: number;
            /** @description Starts at 1 in each run. */
            number: number;
            /** @description The first 1,024 bytes of the body as text; null without a response. */
            response_snippet: string | null;
            /** @description 1, and one more with each replay. */
            run: number;
            /** Format: date-time */
            started_at: string;
            status_code: number | null;
            succeeded: boolean;
            trigger: components["schemas"]["AttemptTrigger"];
            /** @description What was odd about a response whose status counts: it broke off, did not end within two seconds, or is not valid HTTP. Null if nothing was. */
            warning: string | null;
        };
        AttemptPage: {
            attempts: components["schemas"]["AttemptOfEndpoint"][];
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
        };
        AttemptSpan: {
            attempts: number;
            failed: number;
            failed_by: components["schemas"]["FailuresByCause"];
            /** Format: date-time */
            from: string;
            /** @description From counters: within 9.1 % and half a millisecond of the exact value. Null without attempts. */
            latency_ms: components["schemas"]["LatencyPercentiles"] | null;
            /** @description Attempts with a number above 1. */
            retries: number;
            succeeded: number;
        };
        /** @description Milliseconds of each phase; null for a phase that was not reached, or not needed on a kept connection. */
        AttemptTimings: {
            /** @description From the status until the headers and the body of the response were read. */
            body_ms: number | null;
            /** @description TCP connection; through an egress proxy, its tunnel. */
            connect_ms: number | null;
            /** @description Look-up of the name. */
            dns_ms: number | null;
            /** @description Until the status of the response. */
            first_byte_ms: number | null;
            /** @description From the time when it was due until it started. Null for a manual attempt. */
            queued_ms: number | null;
            /** @description TLS handshake. */
            tls_ms: number | null;
        };
        /** @description Counts of attempts. */
        AttemptTotals: {
            attempts: number;
            failed: number;
            failed_by: components["schemas"]["FailuresByCause"];
            /** @description From counters: within 9.1 % and half a millisecond of the exact value. Null without attempts. */
            latency_ms: components["schemas"]["LatencyPercentiles"] | null;
            /** @description Attempts with a number above 1. */
            retries: number;
            succeeded: number;
        };
        /** @enum {string} */
        AttemptTrigger: "scheduled" | "manual";
        AttemptWithRequest: {
            error: string | null;
            error_code: components["schemas"]["AttemptErrorCode"] | null;
            /** @description Until the status arrived, or until the attempt was given up. */
            latency_ms: number;
            /** @description Starts at 1 in each run. */
            number: number;
            /** @description As sent; secret values are hidden. Empty if no request was sent. */
            request_headers: {
                [key: string]: string;
            };
            /** @description 1 if a pooled connection broke and the request was sent again. */
            resends: number;
            /** @description As received, up to 2,048 characters; values that look like credentials are hidden. Null without a response, and for attempts of versions that did not store them. */
            response_headers: {
                [key: string]: string;
            } | null;
            /** @description The first 1,024 bytes of the body as text; null without a response. */
            response_snippet: string | null;
            /** @description 1, and one more with each replay. */
            run: number;
            /** Format: date-time */
            started_at: string;
            status_code: number | null;
            timings: components["schemas"]["AttemptTimings"];
            trigger: components["schemas"]["AttemptTrigger"];
            /** @description The URL that it was sent to: the endpoint may change between attempts. */
            url: string;
            /** @description What was odd about a response whose status counts: it broke off, did not end within two seconds, or is not valid HTTP. Null if nothing was. */
            warning: string | null;
        };
        /**
         * @description Sent as `Authorization`. Password and token are sealed and never shown again.
         * @example {
         *       "type": "basic",
         *       "username": "everpost",
         *       "password": "example"
         *     }
         */
        Authentication: components["schemas"]["BasicAuthentication"] | components["schemas"]["BearerAuthentication"];
        BasicAuthentication: {
            password: string;
            /** @constant */
            type: "basic";
            username: string;
        };
        BatchResult: components["schemas"]["AcceptedResult"] | components["schemas"]["RepeatedResult"] | components["schemas"]["RefusedResult"];
        BatchResults: {
            /** @description The answer to each event in its place, as if it had been sent alone. */
            results: components["schemas"]["BatchResult"][];
        };
        BearerAuthentication: {
            token: string;
            /** @constant */
            type: "bearer";
        };
        BurstLimitExceeded: {
            code: components["schemas"]["ErrorCode"];
            /** @description A sentence that says what to do. */
            error: string;
            /** @constant */
            remaining: 0;
            /** @description The same as the header X-Request-Id; log lines contain it too. */
            request_id: string;
            retry_after: number;
        };
        Catalog: {
            count: number;
            services: components["schemas"]["CatalogEntry"][];
        };
        CatalogEntry: {
            category: components["schemas"]["Category"];
            instance: string;
            priceUnit: string;
            /** @description US dollars per `priceUnit`. */
            priceUsd: number;
            provider: components["schemas"]["Provider"];
            region: string;
            service: string;
            specs: string;
        };
        /** @enum {string} */
        Category: "compute" | "storage" | "database" | "networking" | "containers" | "serverless" | "monitoring" | "messaging" | "cdn" | "security" | "cache" | "ai_ml";
        CauseOfFailures: {
            code: components["schemas"]["AttemptErrorCode"];
            /** @description Attempts of the window that failed with it. */
            count: number;
            /**
             * Format: date-time
             * @description The start of the first span with it: the first of them failed at most one span later.
             */
            first_seen: string;
            /**
             * Format: date-time
             * @description The end of the last span with it, or now: the last of them failed at most one span earlier.
             */
            last_seen: string;
            /** @description The receiver's status, for `http_status`. */
            status_code: number | null;
        };
        Comparable: {
            /** @description The usual one first. Empty if none is comparable. */
            offers: components["schemas"]["Offer"][];
            /** @enum {string} */
            provider: "aws" | "azure" | "gcp";
            /** @description What all of them are, or why there is no equivalent. */
            reason: string;
        };
        CreatedEndpoint: {
            /** Format: date-time */
            created_at: string;
            description: string;
            /** @description Why it is disabled; absent otherwise. */
            disabled_reason?: components["schemas"]["DisabledReason"];
            events: string[];
            id: string;
            /** @description The caller's own map of texts. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When the next signing secret replaces the current one; present only during a rotation.
             */
            next_secret_activates_at?: string;
            options: components["schemas"]["EndpointOptions"];
            /** @description Signing secret. Keep it: receivers verify `X-Webhook-Signature` with it. */
            secret: string;
            /**
             * Format: date-time
             * @description Since when the current signing secret is in use.
             */
            secret_since: string;
            status: components["schemas"]["EndpointStatus"];
            /** Format: date-time */
            updated_at: string;
            url: string;
            /** @description Whether its host accepts the deliveries; absent if hosts need not be verified. */
            verification?: components["schemas"]["EndpointVerification"];
        };
        DeliveredEvent: {
            /** @description Byte for byte as ingested. */
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: int64
             * @description The event id, the same on every attempt: deduplicate by it.
             */
            id: number;
            /** @description Unix seconds of the ingest. */
            timestamp: number;
            /** @description The event type. */
            type: string;
        };
        Delivery: {
            /**
             * Format: date-time
             * @description When its event was accepted, to the second.
             */
            accepted_at: string;
            /** @description Attempts with an outcome in this run. */
            attempt_count: number;
            /** Format: date-time */
            completed_at: string | null;
            endpoint_id: string;
            /**
             * Format: int64
             * @description Has up to 16 digits, and is below 2^53.
             * @example 1001
             */
            event_id: number;
            event_type: string;
            /** @description Why it waits: its account is `suspended`; its endpoint is `paused`, `disabled`, `unverified` (its host has not answered its challenge) or `hanging` (it answers nothing); or it has to wait because of the limit of concurrent requests (`at_cap`), `max_per_second` or the attempts a minute to its receiver (`at_rate`), or the order of events (`in_line`). Null for a delivery that is not held. */
            held_for: components["schemas"]["HeldReason"] | null;
            /**
             * Format: date-time
             * @description Since when it is held; null if it is not.
             */
            held_since: string | null;
            /** @example 1001.ep_4gq9k1m3v7z2x8c5b6n0t1r2s3 */
            id: string;
            /** @description The most attempts of a run. */
            max_attempts: number;
            /**
             * Format: date-time
             * @description When the next attempt is due; null for a delivery that is finished or held.
             */
            next_attempt_at: string | null;
            /** @description 1, and one more with each replay. */
            run: number;
            state: components["schemas"]["DeliveryState"];
        };
        DeliveryAttemptPage: {
            attempts: components["schemas"]["AttemptWithRequest"][];
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
        };
        DeliveryBudgetExceeded: {
            code: components["schemas"]["ErrorCode"];
            /** @description The deliveries a minute of the account's tier. */
            delivery_limit: number;
            /** @description A sentence that says what to do. */
            error: string;
            /** @constant */
            remaining: 0;
            /** @description The same as the header X-Request-Id; log lines contain it too. */
            request_id: string;
            /**
             * Format: date-time
             * @description When the budget resets.
             */
            reset_at: string;
            retry_after: number;
        };
        /** @description Deliveries by state. */
        DeliveryCounts: {
            cancelled: number;
            delivered: number;
            failed: number;
            pending: number;
            retrying: number;
        };
        DeliveryOfEvent: {
            /** @description Attempts with an outcome in this run. */
            attempt_count: number;
            /** @description Its attempts of all runs, in order: those among the newest 100 of the event. */
            attempts: components["schemas"]["Attempt"][];
            /** Format: date-time */
            completed_at: string | null;
            endpoint_id: string;
            /** @description Why it waits: its account is `suspended`; its endpoint is `paused`, `disabled`, `unverified` (its host has not answered its challenge) or `hanging` (it answers nothing); or it has to wait because of the limit of concurrent requests (`at_cap`), `max_per_second` or the attempts a minute to its receiver (`at_rate`), or the order of events (`in_line`). Null for a delivery that is not held. */
            held_for: components["schemas"]["HeldReason"] | null;
            /**
             * Format: date-time
             * @description Since when it is held; null if it is not.
             */
            held_since: string | null;
            /** @example 1001.ep_4gq9k1m3v7z2x8c5b6n0t1r2s3 */
            id: string;
            /** @description The most attempts of a run. */
            max_attempts: number;
            /**
             * Format: date-time
             * @description When the next attempt is due; null for a delivery that is finished or held.
             */
            next_attempt_at: string | null;
            /** @description 1, and one more with each replay. */
            run: number;
            state: components["schemas"]["DeliveryState"];
            /** @description The URL of the last attempt. */
            url: string;
        };
        DeliveryPage: {
            deliveries: components["schemas"]["Delivery"][];
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
        };
        /**
         * @description `delivered`, `failed` and `cancelled` are final.
         * @enum {string}
         */
        DeliveryState: "pending" | "retrying" | "delivered" | "failed" | "cancelled";
        DeliverySummary: {
            /** @description Attempts with an outcome in this run. */
            attempt_count: number;
            /** Format: date-time */
            completed_at: string | null;
            endpoint_id: string;
            /** @description Why it waits: its account is `suspended`; its endpoint is `paused`, `disabled`, `unverified` (its host has not answered its challenge) or `hanging` (it answers nothing); or it has to wait because of the limit of concurrent requests (`at_cap`), `max_per_second` or the attempts a minute to its receiver (`at_rate`), or the order of events (`in_line`). Null for a delivery that is not held. */
            held_for: components["schemas"]["HeldReason"] | null;
            /**
             * Format: date-time
             * @description Since when it is held; null if it is not.
             */
            held_since: string | null;
            /** @example 1001.ep_4gq9k1m3v7z2x8c5b6n0t1r2s3 */
            id: string;
            /** @description The most attempts of a run. */
            max_attempts: number;
            /**
             * Format: date-time
             * @description When the next attempt is due; null for a delivery that is finished or held.
             */
            next_attempt_at: string | null;
            /** @description 1, and one more with each replay. */
            run: number;
            state: components["schemas"]["DeliveryState"];
        };
        DeliveryWithAttempts: {
            /**
             * Format: date-time
             * @description When its event was accepted, to the second.
             */
            accepted_at: string;
            /** @description Attempts with an outcome in this run. */
            attempt_count: number;
            /** @description The newest 100 attempts of all runs, in order. */
            attempts: components["schemas"]["AttemptWithRequest"][];
            /** @description The `cursor` with which the list of its attempts continues; null if these are all. */
            attempts_cursor: string | null;
            /** @description How many attempts there are, of all runs. More than 10,000 are not counted. */
            attempts_total: number;
            /**
             * Format: int64
             * @description While it is held `in_line`: the event that is first in the line. Otherwise null.
             * @example 1001
             */
            behind_event_id: number | null;
            /** Format: date-time */
            completed_at: string | null;
            endpoint_id: string;
            /**
             * Format: int64
             * @description Has up to 16 digits, and is below 2^53.
             * @example 1001
             */
            event_id: number;
            event_type: string;
            /** @description Whether the run has an execution in Temporal, running or ended. False for a run whose attempts were all express. */
            has_execution: boolean;
            /** @description Why it waits: its account is `suspended`; its endpoint is `paused`, `disabled`, `unverified` (its host has not answered its challenge) or `hanging` (it answers nothing); or it has to wait because of the limit of concurrent requests (`at_cap`), `max_per_second` or the attempts a minute to its receiver (`at_rate`), or the order of events (`in_line`). Null for a delivery that is not held. */
            held_for: components["schemas"]["HeldReason"] | null;
            /**
             * Format: date-time
             * @description Since when it is held; null if it is not.
             */
            held_since: string | null;
            /** @example 1001.ep_4gq9k1m3v7z2x8c5b6n0t1r2s3 */
            id: string;
            /** @description The most attempts of a run. */
            max_attempts: number;
            /**
             * Format: date-time
             * @description When the next attempt is due; null for a delivery that is finished or held.
             */
            next_attempt_at: string | null;
            /** @description Seconds before each attempt of a run, from the end of the previous one. */
            retry_schedule: number[];
            /** @description 1, and one more with each replay. */
            run: number;
            state: components["schemas"]["DeliveryState"];
            /** @description The URL of the last attempt. */
            url: string;
            /** @description While it is held `at_rate`: about how long. Null if that is not known. */
            wait_seconds: number | null;
        };
        /** @enum {string} */
        DisabledReason: "gone" | "failing";
        Endpoint: {
            /** Format: date-time */
            created_at: string;
            description: string;
            /** @description Why it is disabled; absent otherwise. */
            disabled_reason?: components["schemas"]["DisabledReason"];
            events: string[];
            id: string;
            /** @description The caller's own map of texts. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When the next signing secret replaces the current one; present only during a rotation.
             */
            next_secret_activates_at?: string;
            options: components["schemas"]["EndpointOptions"];
            /**
             * Format: date-time
             * @description Since when the current signing secret is in use.
             */
            secret_since: string;
            status: components["schemas"]["EndpointStatus"];
            /** Format: date-time */
            updated_at: string;
            url: string;
            /** @description Whether its host accepts the deliveries; absent if hosts need not be verified. */
            verification?: components["schemas"]["EndpointVerification"];
        };
        EndpointChange: {
            /** @description Free text. */
            description?: string;
            /** @description All patterns: they replace the existing ones. */
            events?: string[];
            /**
             * @description The caller's own map of texts. It is shown with the endpoint, and never sent to it.
             * @example {
             *       "tenant": "acme"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /** @description Merged option by option; null switches one off. */
            options?: components["schemas"]["EndpointOptionsChange"];
            /**
             * Format: uri
             * @description Absolute HTTPS URL of a public host, without credentials and fragment; it receives the delivery POSTs.
             * @example https://example.com/webhooks
             */
            url?: string;
        };
        EndpointHealth: {
            /** @description Failed attempts since the last success. */
            failed_in_a_row: number;
            /** @description Of the last failed attempt; null if none failed. */
            last_error: components["schemas"]["LastError"] | null;
            /** Format: date-time */
            last_failure_at: string | null;
            last_hour: components["schemas"]["LastHour"];
            /** Format: date-time */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description If `failing`, when the first of the attempts in a row failed; if `disabled` or `paused`, when it was, as far as that is known; else null.
             */
            since: string | null;
            state: components["schemas"]["HealthState"];
        };
        EndpointHistory: {
            /** @description Why attempts of the window failed, each HTTP status by itself; the last seen first. */
            causes: components["schemas"]["CauseOfFailures"][];
            endpoint_id: string;
            health: components["schemas"]["EndpointHealth"];
            /** @description The oldest first. Spans without an answered attempt are left out. */
            series: components["schemas"]["AttemptSpan"][];
            /** Format: date-time */
            since: string;
            totals: components["schemas"]["AttemptTotals"];
            /** Format: date-time */
            until: string;
            window: components["schemas"]["HealthWindow"];
        };
        EndpointOptions: {
            /** @description Without password and token. */
            authentication: components["schemas"]["ShownAuthentication"] | null;
            disable_on_gone: boolean;
            filter: {
                [key: string]: unknown;
            } | null;
            /** @description Each value is `[hidden]`; `GET …/secret` shows them. */
            headers: {
                [key: string]: string;
            } | null;
            honor_retry_after: boolean;
            max_per_second: number | null;
            ordered: boolean;
            /** @description Seconds before each attempt. */
            retry_schedule: number[] | null;
            send_traceparent: boolean;
        };
        EndpointOptionsChange: {
            authentication?: components["schemas"]["Authentication"] | null;
            /** @description An answer of 410 Gone disables the endpoint. */
            disable_on_gone?: boolean | null;
            /**
             * @description A condition on `data` in MongoDB's query language: only matching events are delivered.
             * @example {
             *       "total": {
             *         "$gte": 100
             *       },
             *       "customer.country": {
             *         "$in": [
             *           "DE",
             *           "FR"
             *         ]
             *       }
             *     }
             */
            filter?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Additional headers of every delivery. Names and values follow RFC 9110. Headers that HTTP or Everpost sets are refused: `content-*`, `host`, `connection`, `transfer-encoding`, `user-agent`, `webhook-*`, `x-webhook-*` and the like. Values are sealed: answers show `[hidden]`, and a value sent as `[hidden]` stays as it is.
             * @example {
             *       "X-Tenant": "blue"
             *     }
             */
            headers?: {
                [key: string]: string;
            } | null;
            /** @description `Retry-After` in an answer can delay the next attempt, but never makes it earlier. */
            honor_retry_after?: boolean | null;
            /**
             * @description The most attempts a second. Further deliveries wait; nothing is lost.
             * @example 10
             */
            max_per_second?: number | null;
            /** @description One delivery at a time, in the order of the events. */
            ordered?: boolean | null;
            /**
             * @description The delay in seconds before each attempt: the first normally 0, the others at least 1. Their number is the number of attempts. Applies to events accepted from now on. Off: the schedule of the installation.
             * @example [
             *       0,
             *       10,
             *       60,
             *       600
             *     ]
             */
            retry_schedule?: number[] | null;
            /** @description Sends the W3C `traceparent` of the attempt, so that the receiver continues the trace. */
            send_traceparent?: boolean | null;
        };
        EndpointPage: {
            endpoints: components["schemas"]["EndpointWithHealth"][];
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
        };
        /** @description How many endpoints are in each state. */
        EndpointsByState: {
            degraded: number;
            disabled: number;
            failing: number;
            healthy: number;
            paused: number;
            waiting: number;
        };
        EndpointStats: {
            attempts: components["schemas"]["AttemptCounts"];
            /** @description False if only the newest 10,000 deliveries of the window were counted. */
            complete: boolean;
            deliveries: components["schemas"]["DeliveryCounts"];
            endpoint_id: string;
            /** @description Of answered attempts; null if there are none. */
            latency_ms: components["schemas"]["Latency"] | null;
            /** Format: date-time */
            since: string;
            /** @description Share of delivered among delivered and failed ones, from 0 to 1; null if there are none. */
            success_rate: number | null;
            /** Format: date-time */
            until: string;
            window: components["schemas"]["StatsWindow"];
        };
        /** @enum {string} */
        EndpointStatus: "active" | "paused" | "disabled";
        EndpointVerification: {
            /**
             * Format: date-time
             * @description When the last challenge was sent.
             */
            asked_at: string | null;
            /** @description What was wrong with the last answer. */
            error: string | null;
            host: string;
            /**
             * @description Deliveries wait while it is `unverified`.
             * @enum {string}
             */
            state: "unverified" | "verified";
        };
        EndpointWithHealth: {
            /** Format: date-time */
            created_at: string;
            description: string;
            /** @description Why it is disabled; absent otherwise. */
            disabled_reason?: components["schemas"]["DisabledReason"];
            events: string[];
            health: components["schemas"]["EndpointHealth"];
            id: string;
            /** @description The caller's own map of texts. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When the next signing secret replaces the current one; present only during a rotation.
             */
            next_secret_activates_at?: string;
            options: components["schemas"]["EndpointOptions"];
            /**
             * Format: date-time
             * @description Since when the current signing secret is in use.
             */
            secret_since: string;
            status: components["schemas"]["EndpointStatus"];
            /** Format: date-time */
            updated_at: string;
            url: string;
            /** @description Whether its host accepts the deliveries; absent if hosts need not be verified. */
            verification?: components["schemas"]["EndpointVerification"];
        };
        Equivalents: {
            instance: string;
            others: components["schemas"]["Comparable"][];
            /** @enum {string} */
            provider: "aws" | "azure" | "gcp";
            service: string;
        };
        EquivalentsList: {
            count: number;
            equivalents: components["schemas"]["Equivalents"][];
        };
        /**
         * @description Stable: branch on it. A release may add codes: treat an unknown code by its status. The row `errors.md#<code>` of the documentation describes the cause and what to do.
         * @enum {string}
         */
        ErrorCode: "invalid_request" | "invalid_json" | "invalid_utf8" | "incomplete_body" | "duplicate_member" | "unexpected_body" | "nested_too_deeply" | "malformed_request" | "missing_api_key" | "malformed_api_key" | "invalid_api_key" | "expired_api_key" | "account_suspended" | "wrong_product" | "missing_scope" | "not_found" | "event_not_found" | "delivery_not_found" | "replay_not_found" | "endpoint_not_found" | "method_not_allowed" | "request_timeout" | "endpoint_limit_reached" | "delivery_finished" | "delivery_not_finished" | "delivery_changed" | "nothing_to_replay" | "attempt_under_way" | "endpoint_not_active" | "endpoint_not_verified" | "endpoint_removed" | "replay_finished" | "replay_limit_reached" | "run_limit_reached" | "credentials_not_sent" | "rotation_under_way" | "no_rotation" | "payload_too_large" | "unsupported_media_type" | "host_not_allowed" | "unsupported_url_scheme" | "url_has_credentials" | "url_has_fragment" | "refused_port" | "refused_host" | "non_public_host" | "reserved_event_type" | "filters_too_costly" | "batch_exceeds_limit" | "unknown_service" | "unknown_instance" | "rate_limit_exceeded" | "quota_exceeded" | "delivery_budget_exceeded" | "pending_budget_exceeded" | "filter_budget_exceeded" | "storage_budget_exceeded" | "challenge_limit_exceeded" | "too_many_streams" | "headers_too_large" | "internal_error" | "catalog_not_loaded" | "service_unavailable" | "ingest_busy" | "outcome_unknown" | "temporal_unavailable" | "encryption_key_missing" | "list_not_ready" | "page_not_built";
        ErrorDetail: {
            message: string;
            path: string;
        };
        Estimate: {
            breakdown: components["schemas"]["EstimateLine"][];
            /** Format: date-time */
            generatedAt: string;
            /** @description Twelve times totalMonthlyUsd. */
            totalAnnualUsd: number;
            /** @description Sum of the exact lines, rounded half up to cents. */
            totalMonthlyUsd: number;
        };
        EstimateItem: {
            /** @description GB of each of `quantity`, for prices per GB; 1 by default. */
            gbPerMonth?: number;
            /** @description Used by prices per hour, vCPU-hour and GB-hour; 730 by default. */
            hoursPerMonth?: number;
            /** @description As in the catalog; if absent, the first one of the service. */
            instance?: string;
            /** @description In any capitals. */
            provider: components["schemas"]["ProviderSpelling"];
            /** @description Instances or units. For prices per million, 100K, 10K or 1K it counts these blocks: 2.5 of `per million requests` is 2.5 million requests. */
            quantity: number;
            /** @description As in the catalog, in any capitals. */
            service: string;
        } & {
            [key: string]: unknown;
        };
        EstimateLine: {
            instance: string;
            /** @description Rounded half up to cents. */
            monthlyUsd: number;
            priceUnit: string;
            provider: string;
            quantity: number;
            service: string;
            /** @description US dollars per `priceUnit`. */
            unitPrice: number;
        };
        EstimateRequest: {
            items: components["schemas"]["EstimateItem"][];
        };
        Event: {
            /** @description How many attempts there are, of all runs. More than 10,000 are not counted. */
            attempts_total: number;
            /** @description The exact bytes that were ingested. */
            data: {
                [key: string]: unknown;
            };
            deliveries: components["schemas"]["DeliveryOfEvent"][];
            /**
             * Format: int64
             * @description Has up to 16 digits, and is below 2^53.
             * @example 1001
             */
            id: number;
            idempotency_key: string | null;
            status: components["schemas"]["EventStatus"];
            timestamp: number;
            type: string;
        };
        EventPage: {
            events: components["schemas"]["ListedEvent"][];
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
        };
        EventReplay: {
            /** @description The deliveries that start a new run. */
            deliveries: components["schemas"]["Delivery"][];
            /** @description The other deliveries, and why they do not. */
            skipped: components["schemas"]["SkippedDelivery"][];
        };
        /** @enum {string} */
        EventStatus: "no_destinations" | "pending" | "retrying" | "delivered" | "partially_failed" | "failed" | "cancelled";
        /** @description Failed attempts by cause. */
        FailuresByCause: {
            blocked_address?: number;
            connection_refused?: number;
            connection_reset?: number;
            dns_error?: number;
            http_status?: number;
            protocol_error?: number;
            proxy_error?: number;
            timeout?: number;
            tls_error?: number;
        };
        /**
         * @description `failing`: the last three attempts or more failed, or all that there were. `degraded`: the last attempt failed, or at least 1 % of those of the last hour. `waiting`: there was no attempt in 30 days, or nothing may be sent yet.
         * @enum {string}
         */
        HealthState: "healthy" | "degraded" | "failing" | "paused" | "disabled" | "waiting";
        /** @enum {string} */
        HealthWindow: "1h" | "24h" | "7d" | "30d";
        HeldDeliveries: {
            deliveries: number;
            reason: components["schemas"]["HeldReason"];
            /**
             * Format: date-time
             * @description Since when the first of them is held; null if that is not known.
             */
            since: string | null;
        };
        /** @enum {string} */
        HeldReason: "suspended" | "paused" | "disabled" | "unverified" | "hanging" | "at_cap" | "at_rate" | "in_line";
        KeyUsage: {
            calls: number;
            key_id: string;
            refused: number;
        };
        LastError: {
            code: components["schemas"]["AttemptErrorCode"];
            /** @description How many of `failed_in_a_row` had it, counted back from the last. */
            count: number;
            /** @description What went wrong, in a sentence. */
            error: string;
            status_code: number | null;
        };
        /** @description Attempts of the last 55 to 60 minutes. */
        LastHour: {
            attempts: number;
            failed: number;
        };
        Latency: {
            p50: number;
            p95: number;
        };
        LatencyPercentiles: {
            p50: number;
            p95: number;
            p99: number;
        };
        ListedEvent: {
            deliveries: components["schemas"]["DeliverySummary"][];
            /**
             * Format: int64
             * @description Has up to 16 digits, and is below 2^53.
             * @example 1001
             */
            id: number;
            idempotency_key: string | null;
            status: components["schemas"]["EventStatus"];
            timestamp: number;
            type: string;
        };
        NamedKey: {
            id: string;
            label: string;
        };
        NewEndpoint: {
            /**
             * @description Free text.
             * @default
             * @example Order service
             */
            description?: string;
            /**
             * @description With `false` it starts as `paused`: its deliveries are held until you resume it.
             * @default true
             */
            enabled?: boolean;
            /**
             * @description The patterns of delivered events; if absent, all events.
             * @default [
             *       "*"
             *     ]
             */
            events?: string[];
            /**
             * @description The caller's own map of texts. It is shown with the endpoint, and never sent to it.
             * @example {
             *       "tenant": "acme"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /** @description If absent, all are off. */
            options?: components["schemas"]["EndpointOptionsChange"];
            /**
             * @description An existing signing secret: `whsec_` and 24 to 64 bytes in base64. If absent, a new one is generated.
             * @example whsec_dGhpcy1pcy1vbmx5LWFuLWV4YW1wbGUtb2s=
             */
            secret?: string;
            /**
             * Format: uri
             * @description Absolute HTTPS URL of a public host, without credentials and fragment; it receives the delivery POSTs.
             * @example https://example.com/webhooks
             */
            url: string;
        };
        NewEvent: {
            /**
             * @description Any JSON object, delivered byte for byte as sent.
             * @example {
             *       "order_id": "ord_42",
             *       "total": 19.99
             *     }
             */
            data: {
                [key: string]: unknown;
            };
            /**
             * @description A repeat within 24 hours returns the original event.
             * @example ord_42_created
             */
            idempotency_key?: string;
            /**
             * @description Caller-chosen dotted name.
             * @example order.created
             */
            type: string;
        };
        NewEvents: {
            events: components["schemas"]["NewEvent"][];
        };
        NewReplay: {
            filter: components["schemas"]["ReplaySelection"];
            /**
             * @description Deliveries that are started in a second; 50 by default.
             * @default 50
             */
            rate_per_second?: number;
        };
        Offer: {
            /** @description What one unit of the entry needs, in units of each part; usually one of one. */
            parts: components["schemas"]["OfferPart"][];
        };
        OfferPart: {
            instance: string;
            quantity: number;
            service: string;
        };
        PendingBudgetExceeded: {
            code: components["schemas"]["ErrorCode"];
            /** @description A sentence that says what to do. */
            error: string;
            /** @description The most unfinished deliveries of the account's tier. */
            pending_limit: number;
            /** @constant */
            remaining: 0;
            /** @description The same as the header X-Request-Id; log lines contain it too. */
            request_id: string;
            retry_after: number;
        };
        /** @description Unfinished deliveries: an upper bound. */
        PendingUsage: {
            at_most: number;
            /** @description Null is unlimited. */
            limit: number | null;
        };
        /** @enum {string} */
        Product: "weh" | "sec" | "pii" | "dep" | "rat" | "api";
        /** @enum {string} */
        Provider: "aws" | "azure" | "gcp";
        /** @enum {string} */
        ProviderSpelling: "aws" | "azure" | "gcp" | "cloud_a" | "cloud_b" | "cloud_c";
        QuotaExceeded: {
            code: components["schemas"]["ErrorCode"];
            /** @description A sentence that says what to do. */
            error: string;
            quota_limit: number;
            quota_used: number;
            /** @description The same as the header X-Request-Id; log lines contain it too. */
            request_id: string;
            /** Format: date-time */
            reset_at: string;
        };
        /**
         * @description What becomes of the quota at this month's pace. `unknown`: the month has less than a day or 20 calls so far.
         * @enum {string}
         */
        QuotaOutlook: "unlimited" | "used_up" | "unknown" | "enough" | "runs_out";
        QuotaUsage: {
            /** @description Null is unlimited. */
            limit: number | null;
            outlook: components["schemas"]["QuotaOutlook"];
            /** Format: date-time */
            resets_at: string;
            /**
             * Format: date-time
             * @description When it is used up at that pace, if `runs_out`; else null.
             */
            runs_out_at: string | null;
            used: number;
        };
        Recovery: {
            /**
             * @description Deliveries that are started in a second; 50 by default.
             * @default 50
             */
            rate_per_second?: number;
            /**
             * Format: date-time
             * @description Deliveries that became `failed` at or after this time.
             */
            since: string;
            /**
             * Format: date-time
             * @description Deliveries that became `failed` before this time.
             */
            until?: string;
        };
        /** @description Calls that got 429, by the `code` of the error. */
        RefusedCalls: {
            delivery_budget_exceeded: number;
            filter_budget_exceeded: number;
            pending_budget_exceeded: number;
            quota_exceeded: number;
            rate_limit_exceeded: number;
            storage_budget_exceeded: number;
        };
        RefusedResult: {
            code: components["schemas"]["ErrorCode"];
            /** @description Each problem of the request and its place; the first 20. */
            details?: components["schemas"]["ErrorDetail"][];
            /** @description A sentence that says what to do. */
            error: string;
            /** @enum {number} */
            status: 400 | 413 | 422 | 429 | 500 | 503;
        };
        RepeatedResult: {
            /**
             * @description Number of matching destinations.
             * @example 1
             */
            deliveries: number;
            duplicate: boolean;
            /**
             * Format: int64
             * @description Has up to 16 digits, and is below 2^53.
             * @example 1001
             */
            id: number;
            /**
             * @description The type or the data of the repeat differs from the original.
             * @constant
             */
            payload_mismatch?: true;
            /** @constant */
            status: 200;
            /**
             * @description Unix seconds.
             * @example 1767225600
             */
            timestamp: number;
            type: string;
        };
        Replay: {
            /** @description Of `skipped`: those that have had 100 runs. */
            at_run_limit: number;
            /**
             * Format: date-time
             * @description Deliveries that finished later are not replayed.
             */
            created_at: string;
            filter: components["schemas"]["ReplayFilter"];
            /** Format: date-time */
            finished_at: string | null;
            job_id: string;
            /** @description The number of its deliveries; null until they are counted. */
            matched: number | null;
            rate_per_second: number;
            /** @description Deliveries that it has started to send again. */
            replayed: number;
            /** @description Not sent: they were replayed in another way meanwhile, their endpoint was removed, or they have had 100 runs. */
            skipped: number;
            state: components["schemas"]["ReplayState"];
        };
        /** @enum {string} */
        ReplayableState: "failed" | "cancelled" | "delivered";
        ReplayEvent: {
            /** @description Only the deliveries to these endpoints; if absent, all deliveries of the event. */
            endpoint_ids?: string[];
        };
        ReplayFilter: {
            /** Format: date-time */
            after: string | null;
            /** Format: date-time */
            before: string | null;
            /** Format: date-time */
            completed_after: string | null;
            /** Format: date-time */
            completed_before: string | null;
            endpoint_id: string | null;
            state: components["schemas"]["ReplayableState"];
            type: string | null;
        };
        ReplayPage: {
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
            replays: components["schemas"]["Replay"][];
        };
        /** @description Selects deliveries; `{}` for all failed ones of the account. */
        ReplaySelection: {
            /**
             * Format: date-time
             * @description Events accepted at or after this time; to the second.
             */
            after?: string;
            /**
             * Format: date-time
             * @description Events accepted before this time; to the second.
             */
            before?: string;
            /**
             * Format: date-time
             * @description Deliveries that finished at or after this time.
             */
            completed_after?: string;
            /**
             * Format: date-time
             * @description Deliveries that finished before this time.
             */
            completed_before?: string;
            /**
             * @description Only deliveries to this endpoint.
             * @example ep_4gq9k1m3v7z2x8c5b6n0t1r2s3
             */
            endpoint_id?: string;
            /**
             * @description The state of the deliveries; `failed` by default.
             * @default failed
             */
            state?: components["schemas"]["ReplayableState"];
            /**
             * @description Only events of exactly this type, or, with `<prefix>.*`, of every type that begins with `<prefix>.`.
             * @example order.*
             */
            type?: string;
        };
        /** @enum {string} */
        ReplayState: "running" | "completed" | "cancelled";
        RevealedSecrets: {
            /** @description The static headers (`options.headers`) with their values; null without any. */
            headers: {
                [key: string]: string;
            } | null;
            /** @description During a rotation: signs `X-Webhook-Signature-Next`. */
            next_secret: string | null;
            /**
             * Format: date-time
             * @description When it replaces `secret`, unless it is activated earlier.
             */
            next_secret_activates_at: string | null;
            /** @description Signs `X-Webhook-Signature`. */
            secret: string;
        };
        /** @enum {string} */
        Scope: "events:write" | "events:read" | "endpoints:read" | "endpoints:write" | "secrets:read" | "deliveries:write" | "usage:read";
        ShownAuthentication: components["schemas"]["ShownBasicAuthentication"] | components["schemas"]["ShownBearerAuthentication"];
        ShownBasicAuthentication: {
            /** @constant */
            type: "basic";
            username: string;
        };
        ShownBearerAuthentication: {
            /** @constant */
            type: "bearer";
        };
        SigningSecrets: {
            /** @description During a rotation: signs `X-Webhook-Signature-Next`. */
            next_secret: string | null;
            /**
             * Format: date-time
             * @description When it replaces `secret`, unless it is activated earlier.
             */
            next_secret_activates_at: string | null;
            /** @description Signs `X-Webhook-Signature`. */
            secret: string;
        };
        SkippedDelivery: {
            code: components["schemas"]["ErrorCode"];
            error: string;
            id: string;
        };
        /** @enum {string} */
        StatsWindow: "1h" | "24h" | "7d";
        StorageBudgetExceeded: {
            code: components["schemas"]["ErrorCode"];
            /** @description A sentence that says what to do. */
            error: string;
            /** @constant */
            remaining: 0;
            /** @description The same as the header X-Request-Id; log lines contain it too. */
            request_id: string;
            /**
             * Format: date-time
             * @description When the budget resets.
             */
            reset_at: string;
            retry_after: number;
            /** @description The bytes of data a day of the account's tier. */
            storage_limit: number;
        };
        TestEvent: {
            /**
             * @description Any JSON object, delivered byte for byte as sent.
             * @example {
             *       "order_id": "ord_42",
             *       "total": 19.99
             *     }
             */
            data?: {
                [key: string]: unknown;
            };
            /**
             * @description Caller-chosen dotted name.
             * @example order.created
             */
            type?: string;
        };
        TooManyRequests: components["schemas"]["BurstLimitExceeded"] | components["schemas"]["QuotaExceeded"] | components["schemas"]["DeliveryBudgetExceeded"] | components["schemas"]["PendingBudgetExceeded"] | components["schemas"]["StorageBudgetExceeded"];
        UncountedUsage: {
            calls: number;
            /** Format: date */
            day: string;
            key_id: string;
            operation: string;
        };
        Usage: {
            calls_per_minute: components["schemas"]["WindowUsage"];
            /** @description Every day from `from` to `to`, the oldest first. */
            days: components["schemas"]["UsageOfDay"][];
            deliveries_per_minute: components["schemas"]["WindowUsage"];
            /** Format: date */
            from: string;
            /** @description The keys that were used on these days. */
            keys: components["schemas"]["NamedKey"][];
            /** @description Calls that do not count in the quota: those of the cost estimator. The newest day first. */
            outside_quota: components["schemas"]["UncountedUsage"][];
            pending_deliveries: components["schemas"]["PendingUsage"];
            quota: components["schemas"]["QuotaUsage"];
            /**
             * Format: date
             * @description Today, in UTC.
             */
            to: string;
        };
        UsageOfDay: {
            /** @description Answered delivery attempts; null for days that are too long ago to know. */
            attempts: number | null;
            /** @description Calls that count in the quota. */
            calls: number;
            /**
             * Format: date
             * @description In UTC.
             */
            day: string;
            /** @description The calls by key, the most first; only keys that were used. */
            keys: components["schemas"]["KeyUsage"][];
            refused: components["schemas"]["RefusedCalls"];
        };
        WaitingDeliveries: {
            /** @description If deliveries are held `in_line`: the event that is first in the line. Otherwise null. */
            behind_event_id: number | null;
            /** @description False once 10,000 are counted: there may be more. */
            complete: boolean;
            /** @description Deliveries whose attempt is due now or under way. */
            due: number;
            endpoint_id: string;
            /** @description Deliveries that the endpoint can not take now, by the reason; the most first. */
            held: components["schemas"]["HeldDeliveries"][];
            /**
             * Format: date-time
             * @description When the next attempt of those is due; null if there are none.
             */
            next_attempt_at: string | null;
            /** @description Deliveries that wait for the time of their next attempt. */
            scheduled: number;
        };
        WindowUsage: {
            limit: number;
            /**
             * Format: date-time
             * @description Null if none is open.
             */
            resets_at: string | null;
            used: number;
        };
    };
    responses: {
        /** @description The body or a parameter is malformed, unknown or not allowed. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The key is for another product or lacks a scope of the operation, or its account is suspended. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Internal error; safe to retry with a back-off. */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Something went wrong on our side. It is safe to try again with a back-off.",
                 *       "code": "internal_error",
                 *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body is larger than 256 KiB. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The body is larger than 262144 bytes (256 KiB).",
                 *       "code": "payload_too_large",
                 *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Burst limit, monthly quota or budget of deliveries exceeded. */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TooManyRequests"];
            };
        };
        /** @description The key is missing, malformed, unknown, revoked or expired. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "This API key does not exist or was revoked.",
                 *       "code": "invalid_api_key",
                 *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The service can't answer right now; `code` says why, and whether the call certainly had no effect. */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body is not uncompressed application/json. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Send the body with \"Content-Type: application/json\".",
                 *       "code": "unsupported_media_type",
                 *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AcceptedEvent = components['schemas']['AcceptedEvent'];
export type AcceptedResult = components['schemas']['AcceptedResult'];
export type AccountHealth = components['schemas']['AccountHealth'];
export type ApiError = components['schemas']['ApiError'];
export type ApiKey = components['schemas']['ApiKey'];
export type Attempt = components['schemas']['Attempt'];
export type AttemptCounts = components['schemas']['AttemptCounts'];
export type AttemptErrorCode = components['schemas']['AttemptErrorCode'];
export type AttemptOfEndpoint = components['schemas']['AttemptOfEndpoint'];
export type AttemptPage = components['schemas']['AttemptPage'];
export type AttemptSpan = components['schemas']['AttemptSpan'];
export type AttemptTimings = components['schemas']['AttemptTimings'];
export type AttemptTotals = components['schemas']['AttemptTotals'];
export type AttemptTrigger = components['schemas']['AttemptTrigger'];
export type AttemptWithRequest = components['schemas']['AttemptWithRequest'];
export type Authentication = components['schemas']['Authentication'];
export type BasicAuthentication = components['schemas']['BasicAuthentication'];
export type BatchResult = components['schemas']['BatchResult'];
export type BatchResults = components['schemas']['BatchResults'];
export type BearerAuthentication = components['schemas']['BearerAuthentication'];
export type BurstLimitExceeded = components['schemas']['BurstLimitExceeded'];
export type Catalog = components['schemas']['Catalog'];
export type CatalogEntry = components['schemas']['CatalogEntry'];
export type Category = components['schemas']['Category'];
export type CauseOfFailures = components['schemas']['CauseOfFailures'];
export type Comparable = components['schemas']['Comparable'];
export type CreatedEndpoint = components['schemas']['CreatedEndpoint'];
export type DeliveredEvent = components['schemas']['DeliveredEvent'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryAttemptPage = components['schemas']['DeliveryAttemptPage'];
export type DeliveryBudgetExceeded = components['schemas']['DeliveryBudgetExceeded'];
export type DeliveryCounts = components['schemas']['DeliveryCounts'];
export type DeliveryOfEvent = components['schemas']['DeliveryOfEvent'];
export type DeliveryPage = components['schemas']['DeliveryPage'];
export type DeliveryState = components['schemas']['DeliveryState'];
export type DeliverySummary = components['schemas']['DeliverySummary'];
export type DeliveryWithAttempts = components['schemas']['DeliveryWithAttempts'];
export type DisabledReason = components['schemas']['DisabledReason'];
export type Endpoint = components['schemas']['Endpoint'];
export type EndpointChange = components['schemas']['EndpointChange'];
export type EndpointHealth = components['schemas']['EndpointHealth'];
export type EndpointHistory = components['schemas']['EndpointHistory'];
export type EndpointOptions = components['schemas']['EndpointOptions'];
export type EndpointOptionsChange = components['schemas']['EndpointOptionsChange'];
export type EndpointPage = components['schemas']['EndpointPage'];
export type EndpointsByState = components['schemas']['EndpointsByState'];
export type EndpointStats = components['schemas']['EndpointStats'];
export type EndpointStatus = components['schemas']['EndpointStatus'];
export type EndpointVerification = components['schemas']['EndpointVerification'];
export type EndpointWithHealth = components['schemas']['EndpointWithHealth'];
export type Equivalents = components['schemas']['Equivalents'];
export type EquivalentsList = components['schemas']['EquivalentsList'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type ErrorDetail = components['schemas']['ErrorDetail'];
export type Estimate = components['schemas']['Estimate'];
export type EstimateItem = components['schemas']['EstimateItem'];
export type EstimateLine = components['schemas']['EstimateLine'];
export type EstimateRequest = components['schemas']['EstimateRequest'];
export type Event = components['schemas']['Event'];
export type EventPage = components['schemas']['EventPage'];
export type EventReplay = components['schemas']['EventReplay'];
export type EventStatus = components['schemas']['EventStatus'];
export type FailuresByCause = components['schemas']['FailuresByCause'];
export type HealthState = components['schemas']['HealthState'];
export type HealthWindow = components['schemas']['HealthWindow'];
export type HeldDeliveries = components['schemas']['HeldDeliveries'];
export type HeldReason = components['schemas']['HeldReason'];
export type KeyUsage = components['schemas']['KeyUsage'];
export type LastError = components['schemas']['LastError'];
export type LastHour = components['schemas']['LastHour'];
export type Latency = components['schemas']['Latency'];
export type LatencyPercentiles = components['schemas']['LatencyPercentiles'];
export type ListedEvent = components['schemas']['ListedEvent'];
export type NamedKey = components['schemas']['NamedKey'];
export type NewEndpoint = components['schemas']['NewEndpoint'];
export type NewEvent = components['schemas']['NewEvent'];
export type NewEvents = components['schemas']['NewEvents'];
export type NewReplay = components['schemas']['NewReplay'];
export type Offer = components['schemas']['Offer'];
export type OfferPart = components['schemas']['OfferPart'];
export type PendingBudgetExceeded = components['schemas']['PendingBudgetExceeded'];
export type PendingUsage = components['schemas']['PendingUsage'];
export type Product = components['schemas']['Product'];
export type Provider = components['schemas']['Provider'];
export type ProviderSpelling = components['schemas']['ProviderSpelling'];
export type QuotaExceeded = components['schemas']['QuotaExceeded'];
export type QuotaOutlook = components['schemas']['QuotaOutlook'];
export type QuotaUsage = components['schemas']['QuotaUsage'];
export type Recovery = components['schemas']['Recovery'];
export type RefusedCalls = components['schemas']['RefusedCalls'];
export type RefusedResult = components['schemas']['RefusedResult'];
export type RepeatedResult = components['schemas']['RepeatedResult'];
export type Replay = components['schemas']['Replay'];
export type ReplayableState = components['schemas']['ReplayableState'];
export type ReplayEvent = components['schemas']['ReplayEvent'];
export type ReplayFilter = components['schemas']['ReplayFilter'];
export type ReplayPage = components['schemas']['ReplayPage'];
export type ReplaySelection = components['schemas']['ReplaySelection'];
export type ReplayState = components['schemas']['ReplayState'];
export type RevealedSecrets = components['schemas']['RevealedSecrets'];
export type Scope = components['schemas']['Scope'];
export type ShownAuthentication = components['schemas']['ShownAuthentication'];
export type ShownBasicAuthentication = components['schemas']['ShownBasicAuthentication'];
export type ShownBearerAuthentication = components['schemas']['ShownBearerAuthentication'];
export type SigningSecrets = components['schemas']['SigningSecrets'];
export type SkippedDelivery = components['schemas']['SkippedDelivery'];
export type StatsWindow = components['schemas']['StatsWindow'];
export type StorageBudgetExceeded = components['schemas']['StorageBudgetExceeded'];
export type TestEvent = components['schemas']['TestEvent'];
export type TooManyRequests = components['schemas']['TooManyRequests'];
export type UncountedUsage = components['schemas']['UncountedUsage'];
export type Usage = components['schemas']['Usage'];
export type UsageOfDay = components['schemas']['UsageOfDay'];
export type WaitingDeliveries = components['schemas']['WaitingDeliveries'];
export type WindowUsage = components['schemas']['WindowUsage'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type $defs = Record<string, never>;
export interface operations {
    getCatalog: {
        parameters: {
            query?: {
                /** @description Only entries of this category. */
                category?: components["schemas"]["Category"];
                /** @description Only entries of this provider. */
                provider?: components["schemas"]["ProviderSpelling"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 1,
                     *       "services": [
                     *         {
                     *           "provider": "aws",
                     *           "category": "compute",
                     *           "service": "EC2",
                     *           "instance": "t3.medium",
                     *           "specs": "2 vCPU, 4 GiB, burstable x86, Linux",
                     *           "priceUnit": "per hour",
                     *           "priceUsd": 0.0416,
                     *           "region": "us-east-1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Catalog"];
                };
            };
            /** @description Nothing has changed since the answer with the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body or a parameter is malformed, unknown or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "\"provider\" must be one of aws, azure, gcp (or cloud_a, cloud_b, cloud_c).",
                     *       "code": "invalid_request",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    estimateCost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "provider": "aws",
                 *           "service": "EC2",
                 *           "instance": "t3.medium",
                 *           "quantity": 2
                 *         },
                 *         {
                 *           "provider": "cloud_a",
                 *           "service": "S3",
                 *           "quantity": 1,
                 *           "gbPerMonth": 500
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["EstimateRequest"];
            };
        };
        responses: {
            /** @description The estimate. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "totalMonthlyUsd": 72.24,
                     *       "totalAnnualUsd": 866.88,
                     *       "breakdown": [
                     *         {
                     *           "provider": "aws",
                     *           "service": "EC2",
                     *           "instance": "t3.medium",
                     *           "quantity": 2,
                     *           "unitPrice": 0.0416,
                     *           "priceUnit": "per hour",
                     *           "monthlyUsd": 60.74
                     *         },
                     *         {
                     *           "provider": "cloud_a",
                     *           "service": "S3",
                     *           "instance": "Standard",
                     *           "quantity": 1,
                     *           "unitPrice": 0.023,
                     *           "priceUnit": "per GB/month",
                     *           "monthlyUsd": 11.5
                     *         }
                     *       ],
                     *       "generatedAt": "2026-11-21T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Estimate"];
                };
            };
            /** @description The body or a parameter is malformed, unknown or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "\"items[0].quantity\" must be a number from 0 to 1000000000.",
                     *       "code": "invalid_request",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The body is larger than 64 KiB, or has more than 2,000 values. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The body is larger than 65536 bytes (64 KiB).",
                     *       "code": "payload_too_large",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            415: components["responses"]["UnsupportedMediaType"];
            /** @description A service or an instance is not in the catalog. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "\"items[0].service\" is not a service of aws in the catalog; did you mean \"Lambda\"?",
                     *       "code": "unknown_service",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEquivalents: {
        parameters: {
            query?: {
                /** @description Only entries of this category. */
                category?: components["schemas"]["Category"];
                /** @description Only entries of this provider. */
                provider?: components["schemas"]["ProviderSpelling"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries, each with its equivalents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 1,
                     *       "equivalents": [
                     *         {
                     *           "provider": "aws",
                     *           "service": "RDS for MySQL",
                     *           "instance": "db.t3.large Multi-AZ",
                     *           "others": [
                     *             {
                     *               "provider": "azure",
                     *               "offers": [],
                     *               "reason": "No equivalent: its MySQL in the catalog is in one zone, without a standby."
                     *             },
                     *             {
                     *               "provider": "gcp",
                     *               "offers": [],
                     *               "reason": "No equivalent: its MySQL in the catalog is in one zone, without a standby."
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EquivalentsList"];
                };
            };
            /** @description Nothing has changed since the answer with the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body or a parameter is malformed, unknown or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "\"provider\" must be one of aws, azure, gcp (or cloud_a, cloud_b, cloud_c).",
                     *       "code": "invalid_request",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOwnKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is valid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "product": "weh",
                     *       "label": "production",
                     *       "account_id": "acc_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "tier": "free",
                     *       "scopes": [
                     *         "events:write",
                     *         "events:read"
                     *       ],
                     *       "expires_at": "2027-02-21T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description How many days, today included: 1 to 400. */
                days?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": "2026-11-20",
                     *       "to": "2026-11-21",
                     *       "days": [
                     *         {
                     *           "day": "2026-11-20",
                     *           "calls": 0,
                     *           "refused": {
                     *             "rate_limit_exceeded": 0,
                     *             "quota_exceeded": 0,
                     *             "delivery_budget_exceeded": 0,
                     *             "pending_budget_exceeded": 0,
                     *             "filter_budget_exceeded": 0,
                     *             "storage_budget_exceeded": 0
                     *           },
                     *           "attempts": 0,
                     *           "keys": []
                     *         },
                     *         {
                     *           "day": "2026-11-21",
                     *           "calls": 380,
                     *           "refused": {
                     *             "rate_limit_exceeded": 12,
                     *             "quota_exceeded": 0,
                     *             "delivery_budget_exceeded": 0,
                     *             "pending_budget_exceeded": 0,
                     *             "filter_budget_exceeded": 0,
                     *             "storage_budget_exceeded": 0
                     *           },
                     *           "attempts": 1204,
                     *           "keys": [
                     *             {
                     *               "key_id": "key_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *               "calls": 380,
                     *               "refused": 12
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "keys": [
                     *         {
                     *           "id": "key_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *           "label": "production"
                     *         }
                     *       ],
                     *       "outside_quota": [
                     *         {
                     *           "day": "2026-11-21",
                     *           "key_id": "key_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *           "operation": "estimateCost",
                     *           "calls": 3
                     *         }
                     *       ],
                     *       "quota": {
                     *         "limit": 10000,
                     *         "used": 7900,
                     *         "resets_at": "2026-12-01T00:00:00.000Z",
                     *         "outlook": "runs_out",
                     *         "runs_out_at": "2026-11-26T22:47:06.000Z"
                     *       },
                     *       "calls_per_minute": {
                     *         "limit": 60,
                     *         "used": 4,
                     *         "resets_at": "2026-11-21T12:00:41.000Z"
                     *       },
                     *       "deliveries_per_minute": {
                     *         "limit": 600,
                     *         "used": 12,
                     *         "resets_at": "2026-11-21T12:00:41.000Z"
                     *       },
                     *       "pending_deliveries": {
                     *         "limit": 100000,
                     *         "at_most": 37
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Usage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Only events accepted at or after this time; to the second. */
                after?: string;
                /** @description Only events accepted before this time; to the second. */
                before?: string;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Only deliveries to this endpoint. */
                endpoint_id?: string;
                /** @description Only deliveries of this event. */
                event_id?: number;
                /** @description The most items on the page; 20 by default. */
                limit?: number;
                /** @description Only deliveries whose latest run this bulk replay started: its `job_id`. */
                replay_id?: string;
                /** @description Only deliveries in this state; `open`: `pending` or `retrying`. */
                state?: "pending" | "retrying" | "delivered" | "failed" | "cancelled" | "open";
                /** @description Only events of exactly this type, or, with `<prefix>.*`, of every type that begins with `<prefix>.`. */
                type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "id": "1001.ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *           "endpoint_id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *           "state": "delivered",
                     *           "run": 1,
                     *           "attempt_count": 1,
                     *           "max_attempts": 8,
                     *           "next_attempt_at": null,
                     *           "held_for": null,
                     *           "held_since": null,
                     *           "completed_at": "2026-11-21T12:00:00.120Z",
                     *           "event_id": 1001,
                     *           "event_type": "order.created",
                     *           "accepted_at": "2026-11-21T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The delivery id: `<event_id>.<endpoint_id>`. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "1001.ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "endpoint_id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "state": "delivered",
                     *       "run": 1,
                     *       "attempt_count": 1,
                     *       "max_attempts": 8,
                     *       "next_attempt_at": null,
                     *       "held_for": null,
                     *       "held_since": null,
                     *       "completed_at": "2026-11-21T12:00:00.120Z",
                     *       "event_id": 1001,
                     *       "event_type": "order.created",
                     *       "accepted_at": "2026-11-21T12:00:00.000Z",
                     *       "url": "https://example.com/webhooks",
                     *       "retry_schedule": [
                     *         0,
                     *         1,
                     *         5,
                     *         30,
                     *         300,
                     *         1800,
                     *         7200,
                     *         86400
                     *       ],
                     *       "behind_event_id": null,
                     *       "wait_seconds": null,
                     *       "has_execution": true,
                     *       "attempts_total": 1,
                     *       "attempts_cursor": null,
                     *       "attempts": [
                     *         {
                     *           "run": 1,
                     *           "number": 1,
                     *           "trigger": "scheduled",
                     *           "started_at": "2026-11-21T12:00:00.010Z",
                     *           "latency_ms": 96,
                     *           "status_code": 200,
                     *           "error_code": null,
                     *           "error": null,
                     *           "response_snippet": "ok",
                     *           "warning": null,
                     *           "url": "https://example.com/webhooks",
                     *           "resends": 0,
                     *           "request_headers": {
                     *             "User-Agent": "Everpost/0.1",
                     *             "Content-Type": "application/json",
                     *             "X-Webhook-ID": "1001",
                     *             "X-Webhook-Type": "order.created",
                     *             "X-Webhook-Timestamp": "1795262400",
                     *             "X-Webhook-Signature": "sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"
                     *           },
                     *           "response_headers": {
                     *             "Content-Type": "text/plain",
                     *             "Content-Length": "2"
                     *           },
                     *           "timings": {
                     *             "queued_ms": 3,
                     *             "dns_ms": 4,
                     *             "connect_ms": 21,
                     *             "tls_ms": 43,
                     *             "first_byte_ms": 28,
                     *             "body_ms": 0
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryWithAttempts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The delivery does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no delivery with this id.",
                     *       "code": "delivery_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliveryAttempts: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description The most items on the page; 20 by default. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The delivery id: `<event_id>.<endpoint_id>`. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of attempts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "attempts": [
                     *         {
                     *           "run": 1,
                     *           "number": 1,
                     *           "trigger": "scheduled",
                     *           "started_at": "2026-11-21T12:00:00.010Z",
                     *           "latency_ms": 96,
                     *           "status_code": 200,
                     *           "error_code": null,
                     *           "error": null,
                     *           "response_snippet": "ok",
                     *           "warning": null,
                     *           "url": "https://example.com/webhooks",
                     *           "resends": 0,
                     *           "request_headers": {
                     *             "User-Agent": "Everpost/0.1",
                     *             "Content-Type": "application/json",
                     *             "X-Webhook-ID": "1001",
                     *             "X-Webhook-Type": "order.created",
                     *             "X-Webhook-Timestamp": "1795262400",
                     *             "X-Webhook-Signature": "sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"
                     *           },
                     *           "response_headers": {
                     *             "Content-Type": "text/plain",
                     *             "Content-Length": "2"
                     *           },
                     *           "timings": {
                     *             "queued_ms": 3,
                     *             "dns_ms": 4,
                     *             "connect_ms": 21,
                     *             "tls_ms": 43,
                     *             "first_byte_ms": 28,
                     *             "body_ms": 0
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryAttemptPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The delivery does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no delivery with this id.",
                     *       "code": "delivery_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The delivery id: `<event_id>.<endpoint_id>`. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the delivery. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "1001.ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "endpoint_id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "state": "cancelled",
                     *       "run": 1,
                     *       "attempt_count": 1,
                     *       "max_attempts": 8,
                     *       "next_attempt_at": null,
                     *       "held_for": null,
                     *       "held_since": null,
                     *       "completed_at": "2026-11-21T12:00:00.120Z",
                     *       "event_id": 1001,
                     *       "event_type": "order.created",
                     *       "accepted_at": "2026-11-21T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The delivery does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no delivery with this id.",
                     *       "code": "delivery_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description It is finished. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "This delivery is delivered already.",
                     *       "code": "delivery_finished",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The delivery id: `<event_id>.<endpoint_id>`. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the delivery. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "1001.ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "endpoint_id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "state": "pending",
                     *       "run": 2,
                     *       "attempt_count": 0,
                     *       "max_attempts": 8,
                     *       "next_attempt_at": "2026-11-21T12:30:00.000Z",
                     *       "held_for": null,
                     *       "held_since": null,
                     *       "completed_at": null,
                     *       "event_id": 1001,
                     *       "event_type": "order.created",
                     *       "accepted_at": "2026-11-21T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The delivery does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no delivery with this id.",
                     *       "code": "delivery_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The delivery is not finished, has had 100 runs, or its endpoint was removed. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "This delivery is not finished; retry makes its next attempt now.",
                     *       "code": "delivery_not_finished",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The delivery id: `<event_id>.<endpoint_id>`. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the delivery. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "1001.ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "endpoint_id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "state": "retrying",
                     *       "run": 1,
                     *       "attempt_count": 4,
                     *       "max_attempts": 8,
                     *       "next_attempt_at": "2026-11-21T12:05:36.000Z",
                     *       "held_for": null,
                     *       "held_since": null,
                     *       "completed_at": null,
                     *       "event_id": 1001,
                     *       "event_type": "order.created",
                     *       "accepted_at": "2026-11-21T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The delivery does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no delivery with this id.",
                     *       "code": "delivery_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The delivery is finished, an attempt is under way, or its endpoint is paused. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Attempt 4 of this delivery is being made right now; wait for its answer.",
                     *       "code": "attempt_under_way",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEndpoints: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description The most items on the page; 100 by default. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of endpoints. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "endpoints": [
                     *         {
                     *           "id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *           "url": "https://example.com/webhooks",
                     *           "events": [
                     *             "order.*"
                     *           ],
                     *           "description": "Order service",
                     *           "metadata": {
                     *             "tenant": "acme"
                     *           },
                     *           "status": "active",
                     *           "options": {
                     *             "retry_schedule": null,
                     *             "max_per_second": 10,
                     *             "ordered": false,
                     *             "disable_on_gone": false,
                     *             "honor_retry_after": true,
                     *             "send_traceparent": false,
                     *             "headers": {
                     *               "X-Tenant": "[hidden]"
                     *             },
                     *             "authentication": {
                     *               "type": "basic",
                     *               "username": "everpost"
                     *             },
                     *             "filter": null
                     *           },
                     *           "secret_since": "2026-11-21T12:00:00.000Z",
                     *           "created_at": "2026-11-21T12:00:00.000Z",
                     *           "updated_at": "2026-11-21T12:00:00.000Z",
                     *           "health": {
                     *             "state": "degraded",
                     *             "since": null,
                     *             "failed_in_a_row": 0,
                     *             "last_error": {
                     *               "code": "http_status",
                     *               "status_code": 503,
                     *               "error": "The receiver answered 503 Service Unavailable.",
                     *               "count": 0
                     *             },
                     *             "last_success_at": "2026-11-21T12:02:30.412Z",
                     *             "last_failure_at": "2026-11-21T11:58:03.077Z",
                     *             "last_hour": {
                     *               "attempts": 340,
                     *               "failed": 12
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["EndpointPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/webhooks",
                 *       "events": [
                 *         "order.*"
                 *       ],
                 *       "description": "Order service"
                 *     }
                 */
                "application/json": components["schemas"]["NewEndpoint"];
            };
        };
        responses: {
            /** @description The registered endpoint with its signing secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "url": "https://example.com/webhooks",
                     *       "events": [
                     *         "order.*"
                     *       ],
                     *       "description": "Order service",
                     *       "metadata": {
                     *         "tenant": "acme"
                     *       },
                     *       "status": "active",
                     *       "options": {
                     *         "retry_schedule": null,
                     *         "max_per_second": 10,
                     *         "ordered": false,
                     *         "disable_on_gone": false,
                     *         "honor_retry_after": true,
                     *         "send_traceparent": false,
                     *         "headers": {
                     *           "X-Tenant": "[hidden]"
                     *         },
                     *         "authentication": {
                     *           "type": "basic",
                     *           "username": "everpost"
                     *         },
                     *         "filter": null
                     *       },
                     *       "secret_since": "2026-11-21T12:00:00.000Z",
                     *       "created_at": "2026-11-21T12:00:00.000Z",
                     *       "updated_at": "2026-11-21T12:00:00.000Z",
                     *       "secret": "whsec_dGhpcy1pcy1vbmx5LWFuLWV4YW1wbGUtb2s="
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedEndpoint"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The account has the maximum number of endpoints (100). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "This account has 100 endpoints, which is the limit. Remove one first.",
                     *       "code": "endpoint_limit_reached",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The URL is well-formed but can't be used: its scheme, port, credentials, fragment or host is refused. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The host localhost is not on the public Internet; deliveries go to public addresses only.",
                     *       "code": "non_public_host",
                     *       "details": [
                     *         {
                     *           "path": "url",
                     *           "message": "The host localhost is not on the public Internet; deliveries go to public addresses only."
                     *         }
                     *       ],
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint id. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "url": "https://example.com/webhooks",
                     *       "events": [
                     *         "order.*"
                     *       ],
                     *       "description": "Order service",
                     *       "metadata": {
                     *         "tenant": "acme"
                     *       },
                     *       "status": "active",
                     *       "options": {
                     *         "retry_schedule": null,
                     *         "max_per_second": 10,
                     *         "ordered": false,
                     *         "disable_on_gone": false,
                     *         "honor_retry_after": true,
                     *         "send_traceparent": false,
                     *         "headers": {
                     *           "X-Tenant": "[hidden]"
                     *         },
                     *         "authentication": {
                     *           "type": "basic",
                     *           "username": "everpost"
                     *         },
                     *         "filter": null
                     *       },
                     *       "secret_since": "2026-11-21T12:00:00.000Z",
                     *       "created_at": "2026-11-21T12:00:00.000Z",
                     *       "updated_at": "2026-11-21T12:00:00.000Z",
                     *       "health": {
                     *         "state": "degraded",
                     *         "since": null,
                     *         "failed_in_a_row": 0,
                     *         "last_error": {
                     *           "code": "http_status",
                     *           "status_code": 503,
                     *           "error": "The receiver answered 503 Service Unavailable.",
                     *           "count": 0
                     *         },
                     *         "last_success_at": "2026-11-21T12:02:30.412Z",
                     *         "last_failure_at": "2026-11-21T11:58:03.077Z",
                     *         "last_hour": {
                     *           "attempts": 340,
                     *           "failed": 12
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EndpointWithHealth"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The endpoint does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no endpoint with this id.",
                     *       "code": "endpoint_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint id. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The endpoint does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no endpoint with this id.",
                     *       "code": "endpoint_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint id. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/v2/webhooks",
                 *       "options": {
                 *         "max_per_second": 10,
                 *         "filter": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EndpointChange"];
            };
        };
        responses: {
            /** @description The changed endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "url": "https://example.com/v2/webhooks",
                     *       "events": [
                     *         "order.*"
                     *       ],
                     *       "description": "Order service",
                     *       "metadata": {
                     *         "tenant": "acme"
                     *       },
                     *       "status": "active",
                     *       "options": {
                     *         "retry_schedule": null,
                     *         "max_per_second": 10,
                     *         "ordered": false,
                     *         "disable_on_gone": false,
                     *         "honor_retry_after": true,
                     *         "send_traceparent": false,
                     *         "headers": {
                     *           "X-Tenant": "[hidden]"
                     *         },
                     *         "authentication": {
                     *           "type": "basic",
                     *           "username": "everpost"
                     *         },
                     *         "filter": null
                     *       },
                     *       "secret_since": "2026-11-21T12:00:00.000Z",
                     *       "created_at": "2026-11-21T12:00:00.000Z",
                     *       "updated_at": "2026-11-21T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The endpoint does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no endpoint with this id.",
                     *       "code": "endpoint_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Stored credentials or static headers would be sent to another host, and the key can't read secrets. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The new URL has another host, port or scheme, and \"options.authentication\" would be sent there. Send \"options.authentication\" again with the URL, or null to remove what is stored, or use a key with the scope secrets:read.",
                     *       "code": "credentials_not_sent",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The URL is well-formed but can't be used: its scheme, port, credentials, fragment or host is refused. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The host localhost is not on the public Internet; deliveries go to public addresses only.",
                     *       "code": "non_public_host",
                     *       "details": [
                     *         {
                     *           "path": "url",
                     *           "message": "The host localhost is not on the public Internet; deliveries go to public addresses only."
                     *         }
                     *       ],
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEndpointAttempts: {
        parameters: {
            query?: {
                /** @description Only attempts that started at or after this time. */
                after?: string;
                /** @description Only attempts that started before this time. */
                before?: string;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Only attempts that failed with this error. */
                error_code?: "http_status" | "timeout" | "dns_error" | "connection_refused" | "connection_reset" | "tls_error" | "blocked_address" | "proxy_error" | "protocol_error";
                /** @description The most items on the page; 20 by default. */
                limit?: number;
                /** @description Only attempts with this outcome. */
                outcome?: "succeeded" | "failed";
                /** @description Only attempts that the receiver answered with this status. */
                status_code?: string;
            };
            header?: never;
            path: {
                /** @description The endpoint id. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of attempts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "attempts": [
                     *         {
                     *           "run": 1,
                     *           "number": 1,
                     *           "trigger": "scheduled",
                     *           "started_at": "2026-11-21T12:00:00.010Z",
                     *           "latency_ms": 96,
                     *           "status_code": 200,
                     *           "error_code": null,
                     *           "error": null,
                     *           "response_snippet": "ok",
                     *           "warning": null,
                     *           "delivery_id": "1001.ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *           "event_id": 1001,
                     *           "event_type": "order.created",
                     *           "succeeded": true
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AttemptPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The endpoint does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no endpoint with this id.",
                     *       "code": "endpoint_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEndpointHealth: {
        parameters: {
            query?: {
                /** @description `1h` and `24h`: by five minutes. `7d` and `30d`: by hour. */
                window?: components["schemas"]["HealthWindow"];
            };
            header?: never;
            path: {
                /** @description The endpoint id. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The health. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "endpoint_id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "health": {
                     *         "state": "degraded",
                     *         "since": null,
                     *         "failed_in_a_row": 0,
                     *         "last_error": {
                     *           "code": "http_status",
                     *           "status_code": 503,
                     *           "error": "The receiver answered 503 Service Unavailable.",
                     *           "count": 0
                     *         },
                     *         "last_success_at": "2026-11-21T12:02:30.412Z",
                     *         "last_failure_at": "2026-11-21T11:58:03.077Z",
                     *         "last_hour": {
                     *           "attempts": 340,
                     *           "failed": 12
                     *         }
                     *       },
                     *       "window": "24h",
                     *       "since": "2026-11-20T12:05:00.000Z",
                     *       "until": "2026-11-21T12:02:31.000Z",
                     *       "totals": {
                     *         "attempts": 1024,
                     *         "succeeded": 997,
                     *         "failed": 27,
                     *         "retries": 24,
                     *         "failed_by": {
                     *           "http_status": 25,
                     *           "timeout": 2
                     *         },
                     *         "latency_ms": {
                     *           "p50": 41,
                     *           "p95": 304,
                     *           "p99": 861
                     *         }
                     *       },
                     *       "causes": [
                     *         {
                     *           "code": "http_status",
                     *           "status_code": 503,
                     *           "count": 25,
                     *           "first_seen": "2026-11-21T09:15:00.000Z",
                     *           "last_seen": "2026-11-21T12:02:31.000Z"
                     *         },
                     *         {
                     *           "code": "timeout",
                     *           "status_code": null,
                     *           "count": 2,
                     *           "first_seen": "2026-11-21T09:10:00.000Z",
                     *           "last_seen": "2026-11-21T09:15:00.000Z"
                     *         }
                     *       ],
                     *       "series": [
                     *         {
                     *           "from": "2026-11-21T12:00:00.000Z",
                     *           "attempts": 1024,
                     *           "succeeded": 997,
                     *           "failed": 27,
                     *           "retries": 24,
                     *           "failed_by": {
                     *             "http_status": 25,
                     *             "timeout": 2
                     *           },
                     *           "latency_ms": {
                     *             "p50": 41,
                     *             "p95": 304,
                     *             "p99": 861
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EndpointHistory"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The endpoint does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no endpoint with this id.",
                     *       "code": "endpoint_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    pauseEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint id. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "url": "https://example.com/webhooks",
                     *       "events": [
                     *         "order.*"
                     *       ],
                     *       "description": "Order service",
                     *       "metadata": {
                     *         "tenant": "acme"
                     *       },
                     *       "status": "paused",
                     *       "options": {
                     *         "retry_schedule": null,
                     *         "max_per_second": 10,
                     *         "ordered": false,
                     *         "disable_on_gone": false,
                     *         "honor_retry_after": true,
                     *         "send_traceparent": false,
                     *         "headers": {
                     *           "X-Tenant": "[hidden]"
                     *         },
                     *         "authentication": {
                     *           "type": "basic",
                     *           "username": "everpost"
                     *         },
                     *         "filter": null
                     *       },
                     *       "secret_since": "2026-11-21T12:00:00.000Z",
                     *       "created_at": "2026-11-21T12:00:00.000Z",
                     *       "updated_at": "2026-11-21T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The endpoint does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no endpoint with this id.",
                     *       "code": "endpoint_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    recoverEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint id. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-11-21T06:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["Recovery"];
            };
        };
        responses: {
            /** @description The replay, which is now stored. While Temporal is down it waits. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job_id": "rpl_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "state": "running",
                     *       "filter": {
                     *         "state": "failed",
                     *         "endpoint_id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *         "type": null,
                     *         "after": null,
                     *         "before": null,
                     *         "completed_after": "2026-11-21T06:00:00.000Z",
                     *         "completed_before": null
                     *       },
                     *       "rate_per_second": 50,
                     *       "matched": null,
                     *       "replayed": 0,
                     *       "skipped": 0,
                     *       "at_run_limit": 0,
                     *       "created_at": "2026-11-21T12:00:00.000Z",
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The endpoint does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no endpoint with this id.",
                     *       "code": "endpoint_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The account has the maximum number of running replays (10). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "This account has 10 replays running, which is the limit. Wait for one, or cancel it.",
                     *       "code": "replay_limit_reached",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint id. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "url": "https://example.com/webhooks",
                     *       "events": [
                     *         "order.*"
                     *       ],
                     *       "description": "Order service",
                     *       "metadata": {
                     *         "tenant": "acme"
                     *       },
                     *       "status": "active",
                     *       "options": {
                     *         "retry_schedule": null,
                     *         "max_per_second": 10,
                     *         "ordered": false,
                     *         "disable_on_gone": false,
                     *         "honor_retry_after": true,
                     *         "send_traceparent": false,
                     *         "headers": {
                     *           "X-Tenant": "[hidden]"
                     *         },
                     *         "authentication": {
                     *           "type": "basic",
                     *           "username": "everpost"
                     *         },
                     *         "filter": null
                     *       },
                     *       "secret_since": "2026-11-21T12:00:00.000Z",
                     *       "created_at": "2026-11-21T12:00:00.000Z",
                     *       "updated_at": "2026-11-21T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The endpoint does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no endpoint with this id.",
                     *       "code": "endpoint_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint id. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secrets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "whsec_dGhpcy1pcy1vbmx5LWFuLWV4YW1wbGUtb2s=",
                     *       "next_secret": null,
                     *       "next_secret_activates_at": null,
                     *       "headers": {
                     *         "X-Tenant": "blue"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RevealedSecrets"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The endpoint does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no endpoint with this id.",
                     *       "code": "endpoint_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    activateSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint id. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "whsec_dGhpcy1pcy1vbmx5LWFuLWV4YW1wbGUtb2s=",
                     *       "next_secret": null,
                     *       "next_secret_activates_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["SigningSecrets"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The endpoint does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no endpoint with this id.",
                     *       "code": "endpoint_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No rotation is under way. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no next secret to activate. Start a rotation with POST …/secret/rotate.",
                     *       "code": "no_rotation",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint id. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Both secrets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "whsec_dGhpcy1pcy1vbmx5LWFuLWV4YW1wbGUtb2s=",
                     *       "next_secret": "whsec_dGhpcy1pcy1hbm90aGVyLWV4YW1wbGUtb2s=",
                     *       "next_secret_activates_at": "2026-11-22T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SigningSecrets"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The endpoint does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no endpoint with this id.",
                     *       "code": "endpoint_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description A rotation is under way. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "A rotation is under way. Activate its secret first, or wait until it is activated automatically.",
                     *       "code": "rotation_under_way",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEndpointStats: {
        parameters: {
            query?: {
                /** @description Events accepted within this time until now; `24h` by default. */
                window?: components["schemas"]["StatsWindow"];
            };
            header?: never;
            path: {
                /** @description The endpoint id. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statistics. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "endpoint_id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "window": "24h",
                     *       "since": "2026-11-20T12:00:00.000Z",
                     *       "until": "2026-11-21T12:00:00.000Z",
                     *       "complete": true,
                     *       "deliveries": {
                     *         "pending": 0,
                     *         "retrying": 1,
                     *         "delivered": 997,
                     *         "failed": 3,
                     *         "cancelled": 0
                     *       },
                     *       "success_rate": 0.997,
                     *       "attempts": {
                     *         "total": 1024,
                     *         "succeeded": 997,
                     *         "failed": 27
                     *       },
                     *       "latency_ms": {
                     *         "p50": 41,
                     *         "p95": 310
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EndpointStats"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The endpoint does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no endpoint with this id.",
                     *       "code": "endpoint_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint id. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "type": "order.created",
                 *       "data": {
                 *         "order_id": "ord_42",
                 *         "total": 19.99
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TestEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1001,
                     *       "type": "endpoint.test",
                     *       "timestamp": 1795262400,
                     *       "duplicate": false,
                     *       "deliveries": 1
                     *     }
                     */
                    "application/json": components["schemas"]["AcceptedEvent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The endpoint does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no endpoint with this id.",
                     *       "code": "endpoint_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The type is reserved for Everpost's own events. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "\"type\" must not begin with \"everpost.\": these types are reserved for events of Everpost itself.",
                     *       "code": "reserved_event_type",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint id. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "url": "https://example.com/webhooks",
                     *       "events": [
                     *         "order.*"
                     *       ],
                     *       "description": "Order service",
                     *       "metadata": {
                     *         "tenant": "acme"
                     *       },
                     *       "status": "active",
                     *       "options": {
                     *         "retry_schedule": null,
                     *         "max_per_second": 10,
                     *         "ordered": false,
                     *         "disable_on_gone": false,
                     *         "honor_retry_after": true,
                     *         "send_traceparent": false,
                     *         "headers": {
                     *           "X-Tenant": "[hidden]"
                     *         },
                     *         "authentication": {
                     *           "type": "basic",
                     *           "username": "everpost"
                     *         },
                     *         "filter": null
                     *       },
                     *       "secret_since": "2026-11-21T12:00:00.000Z",
                     *       "created_at": "2026-11-21T12:00:00.000Z",
                     *       "updated_at": "2026-11-21T12:00:00.000Z",
                     *       "verification": {
                     *         "host": "example.com",
                     *         "state": "verified",
                     *         "asked_at": "2026-11-21T12:00:00.000Z",
                     *         "error": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The endpoint does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no endpoint with this id.",
                     *       "code": "endpoint_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    countWaiting: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint id. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "endpoint_id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "complete": true,
                     *       "held": [
                     *         {
                     *           "reason": "at_rate",
                     *           "deliveries": 42,
                     *           "since": "2026-11-21T12:01:58.204Z"
                     *         }
                     *       ],
                     *       "scheduled": 3,
                     *       "next_attempt_at": "2026-11-21T12:07:03.077Z",
                     *       "due": 1,
                     *       "behind_event_id": null
                     *     }
                     */
                    "application/json": components["schemas"]["WaitingDeliveries"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The endpoint does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no endpoint with this id.",
                     *       "code": "endpoint_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events accepted at or after this time; to the second. */
                after?: string;
                /** @description Only events accepted before this time; to the second. */
                before?: string;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Only events whose `data` has this value in a search field of the account: `<field>:<value>`. The search fields are set in the dashboard, and cover events accepted since. */
                data?: string;
                /** @description Only events that were ingested with this key. */
                idempotency_key?: string;
                /** @description The most items on the page; 20 by default. */
                limit?: number;
                /** @description Only events in this status. */
                status?: components["schemas"]["EventStatus"];
                /** @description Only events of exactly this type, or, with `<prefix>.*`, of every type that begins with `<prefix>.`. */
                type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": [
                     *         {
                     *           "id": 1001,
                     *           "type": "order.created",
                     *           "timestamp": 1795262400,
                     *           "idempotency_key": "ord_42_created",
                     *           "status": "delivered",
                     *           "deliveries": [
                     *             {
                     *               "id": "1001.ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *               "endpoint_id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *               "state": "delivered",
                     *               "run": 1,
                     *               "attempt_count": 1,
                     *               "max_attempts": 8,
                     *               "next_attempt_at": null,
                     *               "held_for": null,
                     *               "held_since": null,
                     *               "completed_at": "2026-11-21T12:00:00.120Z"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ingestEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same as `idempotency_key` in the body, which can then be absent. */
                "Idempotency-Key"?: string & (unknown & unknown);
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "order.created",
                 *       "data": {
                 *         "order_id": "ord_42",
                 *         "total": 19.99
                 *       },
                 *       "idempotency_key": "ord_42_created"
                 *     }
                 */
                "application/json": components["schemas"]["NewEvent"];
            };
        };
        responses: {
            /** @description A repeat: the original event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1001,
                     *       "type": "order.created",
                     *       "timestamp": 1795262400,
                     *       "duplicate": true,
                     *       "deliveries": 1
                     *     }
                     */
                    "application/json": components["schemas"]["AcceptedEvent"];
                };
            };
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1001,
                     *       "type": "order.created",
                     *       "timestamp": 1795262400,
                     *       "duplicate": false,
                     *       "deliveries": 1
                     *     }
                     */
                    "application/json": components["schemas"]["AcceptedEvent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The type is reserved, or the filters of the endpoints would take too long for this data. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "\"type\" must not begin with \"everpost.\": these types are reserved for events of Everpost itself.",
                     *       "code": "reserved_event_type",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The event id. */
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1001,
                     *       "type": "order.created",
                     *       "data": {
                     *         "order_id": "ord_42",
                     *         "total": 19.99
                     *       },
                     *       "timestamp": 1795262400,
                     *       "idempotency_key": "ord_42_created",
                     *       "status": "delivered",
                     *       "attempts_total": 1,
                     *       "deliveries": [
                     *         {
                     *           "id": "1001.ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *           "endpoint_id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *           "state": "delivered",
                     *           "run": 1,
                     *           "attempt_count": 1,
                     *           "max_attempts": 8,
                     *           "next_attempt_at": null,
                     *           "held_for": null,
                     *           "held_since": null,
                     *           "completed_at": "2026-11-21T12:00:00.120Z",
                     *           "url": "https://example.com/webhooks",
                     *           "attempts": [
                     *             {
                     *               "run": 1,
                     *               "number": 1,
                     *               "trigger": "scheduled",
                     *               "started_at": "2026-11-21T12:00:00.010Z",
                     *               "latency_ms": 96,
                     *               "status_code": 200,
                     *               "error_code": null,
                     *               "error": null,
                     *               "response_snippet": "ok",
                     *               "warning": null
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Event"];
                };
            };
            /** @description The event id is not an integer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The event does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no event with this id.",
                     *       "code": "event_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The event id. */
                event_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "endpoint_ids": [
                 *         "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ReplayEvent"];
            };
        };
        responses: {
            /** @description The deliveries that start a new run, and those that do not. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "id": "1001.ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *           "endpoint_id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *           "state": "pending",
                     *           "run": 2,
                     *           "attempt_count": 0,
                     *           "max_attempts": 8,
                     *           "next_attempt_at": "2026-11-21T12:30:00.000Z",
                     *           "held_for": null,
                     *           "held_since": null,
                     *           "completed_at": null,
                     *           "event_id": 1001,
                     *           "event_type": "order.created",
                     *           "accepted_at": "2026-11-21T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "skipped": []
                     *     }
                     */
                    "application/json": components["schemas"]["EventReplay"];
                };
            };
            /** @description The event id is not an integer, or the body is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The event does not exist, belongs to another account, or has no delivery to a given endpoint. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "This event has no delivery to the endpoint ep_4gq9k1m3v7z2x8c5b6n0t1r2s3.",
                     *       "code": "delivery_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The event has no delivery that can be replayed. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "No delivery of this event can be replayed: it has none, they are not finished, have had 100 runs, or their endpoints were removed.",
                     *       "code": "nothing_to_replay",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ingestBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         {
                 *           "type": "order.created",
                 *           "data": {
                 *             "order_id": "ord_42"
                 *           },
                 *           "idempotency_key": "ord_42_created"
                 *         },
                 *         {
                 *           "type": "order.paid",
                 *           "data": {
                 *             "order_id": "ord_42"
                 *           },
                 *           "idempotency_key": "ord_42"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewEvents"];
            };
        };
        responses: {
            /** @description The result of each event, in order. */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "status": 202,
                     *           "id": 1001,
                     *           "type": "order.created",
                     *           "timestamp": 1795262400,
                     *           "duplicate": false,
                     *           "deliveries": 1
                     *         },
                     *         {
                     *           "status": 200,
                     *           "id": 988,
                     *           "type": "order.paid",
                     *           "timestamp": 1795262100,
                     *           "duplicate": true,
                     *           "deliveries": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BatchResults"];
                };
            };
            /** @description The body is malformed, or `events` does not hold 1 to 100 entries. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The body is larger than 2 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "The body is larger than 2097152 bytes (2 MiB).",
                     *       "code": "payload_too_large",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The batch has more events than your tier allows in a minute. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "60 events count as 60 calls, and your tier allows 10 a minute: send at most 10 in a batch.",
                     *       "code": "batch_exceeds_limit",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: {
                /** @description `1h` and `24h`: by five minutes. `7d` and `30d`: by hour. */
                window?: components["schemas"]["HealthWindow"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The health. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "endpoints": {
                     *         "healthy": 11,
                     *         "degraded": 1,
                     *         "failing": 0,
                     *         "paused": 1,
                     *         "disabled": 0,
                     *         "waiting": 2
                     *       },
                     *       "window": "24h",
                     *       "since": "2026-11-20T12:05:00.000Z",
                     *       "until": "2026-11-21T12:02:31.000Z",
                     *       "totals": {
                     *         "attempts": 1024,
                     *         "succeeded": 997,
                     *         "failed": 27,
                     *         "retries": 24,
                     *         "failed_by": {
                     *           "http_status": 25,
                     *           "timeout": 2
                     *         },
                     *         "latency_ms": {
                     *           "p50": 41,
                     *           "p95": 304,
                     *           "p99": 861
                     *         }
                     *       },
                     *       "causes": [
                     *         {
                     *           "code": "http_status",
                     *           "status_code": 503,
                     *           "count": 25,
                     *           "first_seen": "2026-11-21T09:15:00.000Z",
                     *           "last_seen": "2026-11-21T12:02:31.000Z"
                     *         },
                     *         {
                     *           "code": "timeout",
                     *           "status_code": null,
                     *           "count": 2,
                     *           "first_seen": "2026-11-21T09:10:00.000Z",
                     *           "last_seen": "2026-11-21T09:15:00.000Z"
                     *         }
                     *       ],
                     *       "series": [
                     *         {
                     *           "from": "2026-11-21T12:00:00.000Z",
                     *           "attempts": 1024,
                     *           "succeeded": 997,
                     *           "failed": 27,
                     *           "retries": 24,
                     *           "failed_by": {
                     *             "http_status": 25,
                     *             "timeout": 2
                     *           },
                     *           "latency_ms": {
                     *             "p50": 41,
                     *             "p95": 304,
                     *             "p99": 861
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AccountHealth"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listen: {
        parameters: {
            query?: {
                /** @description Patterns of event types, separated by commas; all types by default. */
                events?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 8269A1
                     *     event: event
                     *     data: {"id":1001,"type":"order.created","timestamp":1795262400,"body":"{\"id\":1001,\"type\":\"order.created\",\"data\":{\"order_id\":\"ord_42\"},\"timestamp\":1795262400}"}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listReplays: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description The most items on the page; 20 by default. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of replays. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "replays": [
                     *         {
                     *           "job_id": "rpl_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *           "state": "running",
                     *           "filter": {
                     *             "state": "failed",
                     *             "endpoint_id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *             "type": null,
                     *             "after": null,
                     *             "before": null,
                     *             "completed_after": "2026-11-21T06:00:00.000Z",
                     *             "completed_before": null
                     *           },
                     *           "rate_per_second": 50,
                     *           "matched": 1200,
                     *           "replayed": 350,
                     *           "skipped": 0,
                     *           "at_run_limit": 0,
                     *           "created_at": "2026-11-21T12:00:00.000Z",
                     *           "finished_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ReplayPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createReplay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "state": "failed",
                 *         "type": "order.created"
                 *       },
                 *       "rate_per_second": 20
                 *     }
                 */
                "application/json": components["schemas"]["NewReplay"];
            };
        };
        responses: {
            /** @description The replay, which is now stored. While Temporal is down it waits. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job_id": "rpl_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "state": "running",
                     *       "filter": {
                     *         "state": "failed",
                     *         "endpoint_id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *         "type": null,
                     *         "after": null,
                     *         "before": null,
                     *         "completed_after": "2026-11-21T06:00:00.000Z",
                     *         "completed_before": null
                     *       },
                     *       "rate_per_second": 50,
                     *       "matched": null,
                     *       "replayed": 0,
                     *       "skipped": 0,
                     *       "at_run_limit": 0,
                     *       "created_at": "2026-11-21T12:00:00.000Z",
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The endpoint of the filter does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no endpoint with this id.",
                     *       "code": "endpoint_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The account has the maximum number of running replays (10). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "This account has 10 replays running, which is the limit. Wait for one, or cancel it.",
                     *       "code": "replay_limit_reached",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `job_id` of the replay. */
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The replay. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job_id": "rpl_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "state": "running",
                     *       "filter": {
                     *         "state": "failed",
                     *         "endpoint_id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *         "type": null,
                     *         "after": null,
                     *         "before": null,
                     *         "completed_after": "2026-11-21T06:00:00.000Z",
                     *         "completed_before": null
                     *       },
                     *       "rate_per_second": 50,
                     *       "matched": 1200,
                     *       "replayed": 350,
                     *       "skipped": 0,
                     *       "at_run_limit": 0,
                     *       "created_at": "2026-11-21T12:00:00.000Z",
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The replay does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no replay with this id.",
                     *       "code": "replay_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `job_id` of the replay. */
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cancelled replay. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job_id": "rpl_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *       "state": "cancelled",
                     *       "filter": {
                     *         "state": "failed",
                     *         "endpoint_id": "ep_4gq9k1m3v7z2x8c5b6n0t1r2s3",
                     *         "type": null,
                     *         "after": null,
                     *         "before": null,
                     *         "completed_after": "2026-11-21T06:00:00.000Z",
                     *         "completed_before": null
                     *       },
                     *       "rate_per_second": 50,
                     *       "matched": 1200,
                     *       "replayed": 350,
                     *       "skipped": 0,
                     *       "at_run_limit": 0,
                     *       "created_at": "2026-11-21T12:00:00.000Z",
                     *       "finished_at": "2026-11-21T12:00:07.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The replay does not exist, or it belongs to another account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "There is no replay with this id.",
                     *       "code": "replay_not_found",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description It has ended. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "This replay is completed already.",
                     *       "code": "replay_finished",
                     *       "request_id": "req_4gq9k1m3v7z2x8c5b6n0t1r2s3"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    receiveDelivery: {
        parameters: {
            query?: never;
            header: {
                /** @description W3C Trace Context: the trace of the event. Only with the option `send_traceparent`. */
                traceparent?: string;
                /** @description Standard Webhooks: the event id. */
                "webhook-id": string;
                /** @description Standard Webhooks: signatures of `<webhook-id>.<webhook-timestamp>.<body>`; two during a rotation. */
                "webhook-signature": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description The event id. No signature covers this header: deduplicate by `id` in the body. */
                "X-Webhook-ID": string;
                /** @description `sha256=` and the HMAC-SHA256 of the raw body in lower-case hexadecimal, keyed with the signing secret. */
                "X-Webhook-Signature": string;
                /** @description During a rotation: the same, keyed with the next signing secret. */
                "X-Webhook-Signature-Next"?: string;
                /** @description Unix seconds of this attempt. */
                "X-Webhook-Timestamp": string;
                /** @description The event type. */
                "X-Webhook-Type": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": 1001,
                 *       "type": "order.created",
                 *       "data": {
                 *         "order_id": "ord_42",
                 *         "total": 19.99
                 *       },
                 *       "timestamp": 1767225600
                 *     }
                 */
                "application/json": components["schemas"]["DeliveredEvent"];
            };
        };
        responses: {
            /** @description Delivered. The body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not delivered: the next attempt follows the schedule. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
