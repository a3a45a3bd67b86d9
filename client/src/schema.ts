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
         * @description The catalog, in a stable order: of each service the usual choice first. Both filters can be combined. Send `If-None-Match` with the `ETag` of the answer before to get 304 while nothing has changed.
         */
        get: operations["getCatalog"];
        put?: never;
        /**
         * Estimate monthly and annual cost
         * @description Multiplies and adds exactly, in decimals, and rounds half up at the end: the total is the sum of the exact lines. Names match whatever their capitals. Nothing is priced in part: one wrong item, and the answer lists all problems. Fields of an item that nobody knows are ignored, so whole catalog entries can be pasted.
         */
        post: operations["estimateCost"];
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
         * @description Whose key this is and what it may do. Works with a key of any product, whatever its scopes.
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
    "/api/v1/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description The newest first, by the time at which their events were accepted. Filters may be combined. A page of a filter that fits very little may be shorter than `limit`: go on while `next_cursor` is not null. Needs the scope `events:read`.
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
         * @description The delivery with every attempt of every run. A replay is a new run, with attempts of its own. Needs the scope `events:read`.
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
         * @description No further attempt is made. A request that is under way may still be answered: a 2xx makes it `delivered`. Needs the scope `deliveries:write`.
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
         * @description Begins a new run of a delivered, failed or cancelled delivery, with all its attempts ahead. Of two calls at once one begins it. To a paused endpoint it goes when that is resumed. Needs the scope `deliveries:write`.
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
         * @description Pulls the attempt that is due next forward. There is never a second delivery beside it, and the schedule goes on from there. With 503 (`temporal_unavailable`) nothing was changed. Needs the scope `deliveries:write`.
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
         * @description The account's endpoints, newest first. Also the validity check of a webhook key: 200 when it is valid. Needs the scope `endpoints:read`.
         */
        get: operations["listEndpoints"];
        put?: never;
        /**
         * Register an endpoint
         * @description Registers a destination. Events ingested from now on are delivered to it when one of its patterns matches. The answer is the only one that shows the signing secret. Needs the scope `endpoints:write`.
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
         * @description The endpoint with its options, without its signing secret. Needs the scope `endpoints:read`.
         */
        get: operations["getEndpoint"];
        put?: never;
        post?: never;
        /**
         * Remove an endpoint
         * @description Its deliveries in flight end as `cancelled`, and its history stays. A request that is under way may still be answered: a 2xx makes that delivery a delivered one. Needs the scope `endpoints:write`.
         */
        delete: operations["removeEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change an endpoint
         * @description What is left out stays as it is. A changed `url` holds for the next attempt of deliveries in flight, `events` and `options.filter` for the next event, `options.retry_schedule` for deliveries that begin from now on, the other options for the next attempt. `options` are merged one by one; null switches one off. Needs the scope `endpoints:write`.
         */
        patch: operations["changeEndpoint"];
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
         * @description Holds its deliveries, those that wait for a retry too. Events that arrive while it is paused are kept and delivered when it is resumed; no attempt is used up. A second call changes nothing, and a disabled endpoint stays disabled: it holds its deliveries already. Needs the scope `endpoints:write`.
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
         * @description Sends again what failed for good since a time: for an endpoint that is back after an outage. The same as a replay with `state: failed`, this `endpoint_id`, and `completed_after`. Needs the scope `deliveries:write`.
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
         * @description Its held deliveries go on, the oldest first. A second call changes nothing. Needs the scope `endpoints:write`.
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
         * Get an endpoint's signing secret
         * @description Each call is written down in the audit log. Needs the scope `secrets:read`.
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
         * @description Ends a rotation: from the next attempt on, the next secret is the only one. Needs the scopes `endpoints:write` and `secrets:read`.
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
         * Begin to rotate the signing secret
         * @description Makes a next secret. From the next attempt on, `X-Webhook-Signature` stays on the present one, `X-Webhook-Signature-Next` carries the next one and `webhook-signature` both, until the next one is activated: by a call, or by itself after 24 hours. Needs the scopes `endpoints:write` and `secrets:read`.
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
         * @description Deliveries of events that were accepted in the window, by state; the share that was delivered; attempts of their present runs and how long the receiver took. At most the newest 10,000 deliveries are looked at. Needs the scope `endpoints:read`.
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
         * @description Sends an event to this endpoint only, whatever its patterns and filter: of the type `endpoint.test` and with a message, unless the body says otherwise. It is an event like any other: kept, signed, retried, and held while the endpoint is paused. Needs the scope `events:write`.
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
         * Ask an endpoint for its verification
         * @description Sends a challenge to an unverified endpoint, and waits for the answer: `verification` says what came of it. The challenge counts in the budget of deliveries. Nothing is sent to an endpoint that is verified, or need not be. Needs the scope `endpoints:write`.
         */
        post: operations["verifyEndpoint"];
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
         * @description The newest first, without their data. Filters may be combined. A page of a filter that fits very little may be shorter than `limit`: go on while `next_cursor` is not null. Needs the scope `events:read`.
         */
        get: operations["listEvents"];
        put?: never;
        /**
         * Ingest an event
         * @description Accepts an event for delivery to every endpoint whose patterns match its type. 202 is a promise: the event is journaled by a majority of the database. A repeat with the same `idempotency_key`, in the body or in the `Idempotency-Key` header, within 24 hours answers 200 with the original event and delivers nothing again. Needs the scope `events:write`.
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
         * @description The event with its `data` as it was sent, its status, and every attempt to every destination. Needs the scope `events:read`.
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
         * @description Begins a new run of each finished delivery of the event, or of those to the endpoints that are named. What is not finished goes on as it is, and is among `skipped`. An endpoint that the event did not go to is not sent it. Needs the scope `deliveries:write`.
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
         * @description Accepts 1 to 100 events in one request of at most 2 MiB, each of them as `ingestEvent` would: `results` has the answer to each event at its place, and one that is refused stops no other. They are accepted in their order. A batch counts as one call for each event, all of them or none: one that does not fit into what is left of the limits is answered 429 and nothing of it is ingested. Events that do not fit into the budget of deliveries have 429 as their result. After a 503 send the batch again: events with an `idempotency_key` are never accepted twice. Needs the scope `events:write`.
         */
        post: operations["ingestBatch"];
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
         * @description Server-sent events (`text/event-stream`), one for each event of the account that is accepted from now on and matches `events`, in the order of acceptance: `event: event`, whose data is JSON with `id`, `type`, `timestamp` and `body`, the body of its delivery. It does not stand in for deliveries and changes none. `event: position` says where the stream is; send the last `id` as `Last-Event-ID` to go on behind it, on any process. `event: gap` says that the database does not reach back so far; `event: end` that the key was revoked or expired. An account can have 5 streams on each API process, and one counts as one call. `everpost listen` speaks it. Needs the scope `events:read`.
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
         * @description Sends finished deliveries again, the oldest first, at a rate, as a durable job. Which ones is settled now: what finishes later, the replayed ones themselves included, is not among them. Each is replayed once. Needs the scope `deliveries:write`.
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
         * @description It has ended when `state` is not `running`. What it has begun is delivered and retried as ever. Needs the scope `events:read`.
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
         * @description No further delivery is begun. The ones that it has begun go on; cancel them one by one. Needs the scope `deliveries:write`.
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
         * @description The POST that an endpoint gets for each event that it matches. Verify the signature over the raw body, deduplicate by the id, and answer 2xx within 30 seconds; anything else is tried again. The headers of the endpoint's options come along.
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
             * @description The repeat had another type or other data than the original.
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
             * @description The repeat had another type or other data than the original.
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
        ApiError: {
            code: components["schemas"]["ErrorCode"];
            /** @description Each problem of the request, and where it is; the first 20. */
            details?: components["schemas"]["ErrorDetail"][];
            /** @description A sentence that says what to do. */
            error: string;
            /** @description The same as the header X-Request-Id; log lines carry it too. */
            request_id: string;
        };
        ApiKey: {
            account_id: string;
            /** @description From then on it is refused; null is never. */
            expires_at: string | null;
            label: string;
            product: components["schemas"]["Product"];
            /** @description What it may do; empty for a key of another product. */
            scopes: components["schemas"]["Scope"][];
            tier: string;
        };
        Attempt: {
            error: string | null;
            error_code: components["schemas"]["AttemptErrorCode"] | null;
            latency_ms: number;
            /** @description From 1 in each run. */
            number: number;
            response_snippet: string | null;
            /** @description 1, and one more with each replay. */
            run: number;
            /** Format: date-time */
            started_at: string;
            status_code: number | null;
            trigger: components["schemas"]["AttemptTrigger"];
        };
        AttemptCounts: {
            failed: number;
            succeeded: number;
            total: number;
        };
        /** @enum {string} */
        AttemptErrorCode: "http_status" | "timeout" | "dns_error" | "connection_refused" | "connection_reset" | "tls_error" | "blocked_address" | "proxy_error" | "protocol_error";
        /** @enum {string} */
        AttemptTrigger: "scheduled" | "manual";
        AttemptWithRequest: {
            error: string | null;
            error_code: components["schemas"]["AttemptErrorCode"] | null;
            latency_ms: number;
            /** @description From 1 in each run. */
            number: number;
            /** @description As they were sent; secret values are hidden. */
            request_headers: {
                [key: string]: string;
            };
            /** @description 1 when a pooled connection broke and the request went out once more. */
            resends: number;
            response_snippet: string | null;
            /** @description 1, and one more with each replay. */
            run: number;
            /** Format: date-time */
            started_at: string;
            status_code: number | null;
            trigger: components["schemas"]["AttemptTrigger"];
            /** @description Where it went: an endpoint may be changed between attempts. */
            url: string;
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
            /** @description The answer to each event at its place, as it would have got it alone. */
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
            /** @description The same as the header X-Request-Id; log lines carry it too. */
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
        CreatedEndpoint: {
            /** Format: date-time */
            created_at: string;
            description: string;
            /** @description Why it is disabled; not there otherwise. */
            disabled_reason?: components["schemas"]["DisabledReason"];
            events: string[];
            id: string;
            /** @description The caller's own texts by name. */
            metadata: {
                [key: string]: string;
            };
            options: components["schemas"]["EndpointOptions"];
            /** @description Signing secret. Keep it: receivers verify `X-Webhook-Signature` with it. */
            secret: string;
            status: components["schemas"]["EndpointStatus"];
            /** Format: date-time */
            updated_at: string;
            url: string;
            /** @description Whether its host wants the deliveries; not there where hosts need not be verified. */
            verification?: components["schemas"]["EndpointVerification"];
        };
        DeliveredEvent: {
            /** @description Byte for byte as it was ingested. */
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
            /** @description Attempts answered in this run. */
            attempt_count: number;
            completed_at: string | null;
            endpoint_id: string;
            /**
             * Format: int64
             * @description Has up to 16 digits, and is below 2^53.
             * @example 1001
             */
            event_id: number;
            event_type: string;
            /** @description Why it waits: its account is `suspended`; its endpoint is `paused`, `disabled`, `unverified` (its host has not answered its challenge) or `hanging` (it answers nothing); or it is not its turn yet among the requests at a time (`at_cap`), in `max_per_second` (`at_rate`), or in order (`in_line`). Null for a delivery that is not held. */
            held_for: components["schemas"]["HeldReason"] | null;
            /** @description Since when it is held; null when it is not. */
            held_since: string | null;
            /** @example 1001.ep_4gq9k1m3v7z2x8c5b6n0t1r2s3 */
            id: string;
            /** @description Attempts that a run can have. */
            max_attempts: number;
            /** @description When the next attempt is due; null for a delivery that is finished or held. */
            next_attempt_at: string | null;
            /** @description 1, and one more with each replay. */
            run: number;
            state: components["schemas"]["DeliveryState"];
        };
        DeliveryBudgetExceeded: {
            code: components["schemas"]["ErrorCode"];
            /** @description Deliveries a minute of the account's tier. */
            delivery_limit: number;
            /** @description A sentence that says what to do. */
            error: string;
            /** @constant */
            remaining: 0;
            /** @description The same as the header X-Request-Id; log lines carry it too. */
            request_id: string;
            /**
             * Format: date-time
             * @description When the budget is open again.
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
            /** @description Attempts answered in this run. */
            attempt_count: number;
            /** @description Of all runs, in the order they were made. */
            attempts: components["schemas"]["Attempt"][];
            completed_at: string | null;
            endpoint_id: string;
            /** @description Why it waits: its account is `suspended`; its endpoint is `paused`, `disabled`, `unverified` (its host has not answered its challenge) or `hanging` (it answers nothing); or it is not its turn yet among the requests at a time (`at_cap`), in `max_per_second` (`at_rate`), or in order (`in_line`). Null for a delivery that is not held. */
            held_for: components["schemas"]["HeldReason"] | null;
            /** @description Since when it is held; null when it is not. */
            held_since: string | null;
            /** @example 1001.ep_4gq9k1m3v7z2x8c5b6n0t1r2s3 */
            id: string;
            /** @description Attempts that a run can have. */
            max_attempts: number;
            /** @description When the next attempt is due; null for a delivery that is finished or held. */
            next_attempt_at: string | null;
            /** @description 1, and one more with each replay. */
            run: number;
            state: components["schemas"]["DeliveryState"];
            /** @description Where the last attempt went. */
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
            /** @description Attempts answered in this run. */
            attempt_count: number;
            completed_at: string | null;
            endpoint_id: string;
            /** @description Why it waits: its account is `suspended`; its endpoint is `paused`, `disabled`, `unverified` (its host has not answered its challenge) or `hanging` (it answers nothing); or it is not its turn yet among the requests at a time (`at_cap`), in `max_per_second` (`at_rate`), or in order (`in_line`). Null for a delivery that is not held. */
            held_for: components["schemas"]["HeldReason"] | null;
            /** @description Since when it is held; null when it is not. */
            held_since: string | null;
            /** @example 1001.ep_4gq9k1m3v7z2x8c5b6n0t1r2s3 */
            id: string;
            /** @description Attempts that a run can have. */
            max_attempts: number;
            /** @description When the next attempt is due; null for a delivery that is finished or held. */
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
            /** @description Attempts answered in this run. */
            attempt_count: number;
            attempts: components["schemas"]["AttemptWithRequest"][];
            completed_at: string | null;
            endpoint_id: string;
            /**
             * Format: int64
             * @description Has up to 16 digits, and is below 2^53.
             * @example 1001
             */
            event_id: number;
            event_type: string;
            /** @description Why it waits: its account is `suspended`; its endpoint is `paused`, `disabled`, `unverified` (its host has not answered its challenge) or `hanging` (it answers nothing); or it is not its turn yet among the requests at a time (`at_cap`), in `max_per_second` (`at_rate`), or in order (`in_line`). Null for a delivery that is not held. */
            held_for: components["schemas"]["HeldReason"] | null;
            /** @description Since when it is held; null when it is not. */
            held_since: string | null;
            /** @example 1001.ep_4gq9k1m3v7z2x8c5b6n0t1r2s3 */
            id: string;
            /** @description Attempts that a run can have. */
            max_attempts: number;
            /** @description When the next attempt is due; null for a delivery that is finished or held. */
            next_attempt_at: string | null;
            /** @description 1, and one more with each replay. */
            run: number;
            state: components["schemas"]["DeliveryState"];
            /** @description Where the last attempt went. */
            url: string;
        };
        /** @enum {string} */
        DisabledReason: "gone" | "failing";
        Endpoint: {
            /** Format: date-time */
            created_at: string;
            description: string;
            /** @description Why it is disabled; not there otherwise. */
            disabled_reason?: components["schemas"]["DisabledReason"];
            events: string[];
            id: string;
            /** @description The caller's own texts by name. */
            metadata: {
                [key: string]: string;
            };
            options: components["schemas"]["EndpointOptions"];
            status: components["schemas"]["EndpointStatus"];
            /** Format: date-time */
            updated_at: string;
            url: string;
            /** @description Whether its host wants the deliveries; not there where hosts need not be verified. */
            verification?: components["schemas"]["EndpointVerification"];
        };
        EndpointChange: {
            /** @description Free text. */
            description?: string;
            /** @description All patterns: they replace the ones there are. */
            events?: string[];
            /**
             * @description The caller's own texts by name. They are shown with the endpoint, and never sent to it.
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
        EndpointOptions: {
            /** @description Without password and token. */
            authentication: components["schemas"]["ShownAuthentication"] | null;
            disable_on_gone: boolean;
            filter: {
                [key: string]: unknown;
            } | null;
            headers: {
                [key: string]: string;
            } | null;
            honor_retry_after: boolean;
            max_per_second: number | null;
            ordered: boolean;
            /** @description Seconds before each attempt. */
            retry_schedule: number[] | null;
        };
        EndpointOptionsChange: {
            authentication?: components["schemas"]["Authentication"] | null;
            /** @description An answer of 410 Gone disables the endpoint. */
            disable_on_gone?: boolean | null;
            filter?: {
                [key: string]: unknown;
            } | null;
            headers?: {
                [key: string]: string;
            } | null;
            /** @description `Retry-After` of an answer postpones the next attempt; it never makes it earlier. */
            honor_retry_after?: boolean | null;
            max_per_second?: number | null;
            /** @description One delivery at a time, in the order of the events. */
            ordered?: boolean | null;
            retry_schedule?: number[] | null;
        };
        EndpointPage: {
            endpoints: components["schemas"]["Endpoint"][];
            /** @description The `cursor` of the next page; null on the last one. */
            next_cursor: string | null;
        };
        EndpointStats: {
            attempts: components["schemas"]["AttemptCounts"];
            /** @description False when only the newest 10,000 deliveries of the window were counted. */
            complete: boolean;
            deliveries: components["schemas"]["DeliveryCounts"];
            endpoint_id: string;
            /** @description Of answered attempts; null while there are none. */
            latency_ms: components["schemas"]["Latency"] | null;
            /** Format: date-time */
            since: string;
            /** @description Delivered of delivered and failed, from 0 to 1; null while there are none. */
            success_rate: number | null;
            /** Format: date-time */
            until: string;
            window: components["schemas"]["StatsWindow"];
        };
        /** @enum {string} */
        EndpointStatus: "active" | "paused" | "disabled";
        EndpointVerification: {
            /** @description When the last challenge was sent. */
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
        /**
         * @description Stable: switch on it. A release may add codes: treat an unknown one by its status. The row `errors.md#<code>` of the documentation says when it comes and what to do.
         * @enum {string}
         */
        ErrorCode: "invalid_request" | "invalid_json" | "invalid_utf8" | "incomplete_body" | "duplicate_member" | "unexpected_body" | "nested_too_deeply" | "malformed_request" | "missing_api_key" | "malformed_api_key" | "invalid_api_key" | "expired_api_key" | "account_suspended" | "wrong_product" | "missing_scope" | "not_found" | "event_not_found" | "delivery_not_found" | "replay_not_found" | "endpoint_not_found" | "method_not_allowed" | "request_timeout" | "endpoint_limit_reached" | "delivery_finished" | "delivery_not_finished" | "delivery_changed" | "nothing_to_replay" | "attempt_under_way" | "endpoint_not_active" | "endpoint_not_verified" | "endpoint_removed" | "replay_finished" | "replay_limit_reached" | "rotation_under_way" | "no_rotation" | "payload_too_large" | "unsupported_media_type" | "host_not_allowed" | "unsupported_url_scheme" | "url_has_credentials" | "url_has_fragment" | "refused_port" | "refused_host" | "non_public_host" | "reserved_event_type" | "filters_too_costly" | "batch_exceeds_limit" | "unknown_service" | "unknown_instance" | "rate_limit_exceeded" | "quota_exceeded" | "delivery_budget_exceeded" | "pending_budget_exceeded" | "too_many_streams" | "headers_too_large" | "internal_error" | "catalog_not_loaded" | "service_unavailable" | "ingest_busy" | "outcome_unknown" | "temporal_unavailable" | "encryption_key_missing" | "list_not_ready" | "page_not_built";
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
            /** @description GB of each of `quantity`, for prices per GB; 1 when left out. */
            gbPerMonth?: number;
            /** @description Used by prices per hour, vCPU-hour and GB-hour; 730 when left out. */
            hoursPerMonth?: number;
            /** @description As in the catalog; left out, the first of the service. */
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
            /** @description The bytes that were ingested. */
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
            /** @description The ones that begin a new run. */
            deliveries: components["schemas"]["Delivery"][];
            /** @description The ones that do not, and why. */
            skipped: components["schemas"]["SkippedDelivery"][];
        };
        /** @enum {string} */
        EventStatus: "no_destinations" | "pending" | "retrying" | "delivered" | "partially_failed" | "failed" | "cancelled";
        /** @enum {string} */
        HeldReason: "suspended" | "paused" | "disabled" | "unverified" | "hanging" | "at_cap" | "at_rate" | "in_line";
        Latency: {
            p50: number;
            p95: number;
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
        NewEndpoint: {
            /**
             * @description Free text.
             * @default
             * @example Order service
             */
            description?: string;
            /**
             * @description With `false` it begins as `paused`: its deliveries are held until it is resumed.
             * @default true
             */
            enabled?: boolean;
            /**
             * @description Which events are delivered; all of them when left out.
             * @default [
             *       "*"
             *     ]
             */
            events?: string[];
            /**
             * @description The caller's own texts by name. They are shown with the endpoint, and never sent to it.
             * @example {
             *       "tenant": "acme"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /** @description All off when left out. */
            options?: components["schemas"]["EndpointOptionsChange"];
            /**
             * @description A signing secret that receivers know already: `whsec_` and 24 to 64 bytes in base64. Made when left out.
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
             * @description Arbitrary JSON object, delivered byte for byte as it was sent.
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
             * @description Deliveries that are begun in a second; 50 when left out.
             * @default 50
             */
            rate_per_second?: number;
        };
        PendingBudgetExceeded: {
            code: components["schemas"]["ErrorCode"];
            /** @description A sentence that says what to do. */
            error: string;
            /** @description Unfinished deliveries of the account's tier. */
            pending_limit: number;
            /** @constant */
            remaining: 0;
            /** @description The same as the header X-Request-Id; log lines carry it too. */
            request_id: string;
            retry_after: number;
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
            /** @description The same as the header X-Request-Id; log lines carry it too. */
            request_id: string;
            /** Format: date-time */
            reset_at: string;
        };
        Recovery: {
            /**
             * @description Deliveries that are begun in a second; 50 when left out.
             * @default 50
             */
            rate_per_second?: number;
            /**
             * Format: date-time
             * @description Deliveries that failed for good then or later.
             */
            since: string;
            /**
             * Format: date-time
             * @description Deliveries that failed for good before.
             */
            until?: string;
        };
        RefusedResult: {
            code: components["schemas"]["ErrorCode"];
            /** @description Each problem of the request, and where it is; the first 20. */
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
             * @description The repeat had another type or other data than the original.
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
            /**
             * Format: date-time
             * @description What finished later is not replayed.
             */
            created_at: string;
            filter: components["schemas"]["ReplayFilter"];
            finished_at: string | null;
            job_id: string;
            /** @description Deliveries that it is about; null until they are counted. */
            matched: number | null;
            rate_per_second: number;
            /** @description Deliveries that it sent again, or has begun to. */
            replayed: number;
            /** @description Not sent: replayed otherwise meanwhile, or their endpoint was removed. */
            skipped: number;
            state: components["schemas"]["ReplayState"];
        };
        /** @enum {string} */
        ReplayableState: "failed" | "cancelled" | "delivered";
        ReplayEvent: {
            /** @description Only the deliveries to these endpoints; all of the event when left out. */
            endpoint_ids?: string[];
        };
        ReplayFilter: {
            after: string | null;
            before: string | null;
            completed_after: string | null;
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
        /** @description Which deliveries; `{}` for all failed ones of the account. */
        ReplaySelection: {
            /**
             * Format: date-time
             * @description Events accepted then or later; to the second.
             */
            after?: string;
            /**
             * Format: date-time
             * @description Events accepted before; to the second.
             */
            before?: string;
            /**
             * Format: date-time
             * @description Deliveries that finished then or later.
             */
            completed_after?: string;
            /**
             * Format: date-time
             * @description Deliveries that finished before.
             */
            completed_before?: string;
            /**
             * @description Only deliveries to this endpoint.
             * @example ep_4gq9k1m3v7z2x8c5b6n0t1r2s3
             */
            endpoint_id?: string;
            /**
             * @description What became of the deliveries; `failed` when left out.
             * @default failed
             */
            state?: components["schemas"]["ReplayableState"];
            /**
             * @description Only events of exactly this type.
             * @example order.created
             */
            type?: string;
        };
        /** @enum {string} */
        ReplayState: "running" | "completed" | "cancelled";
        /** @enum {string} */
        Scope: "events:write" | "events:read" | "endpoints:read" | "endpoints:write" | "secrets:read" | "deliveries:write";
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
            /** @description While a rotation is under way: signs `X-Webhook-Signature-Next`. */
            next_secret: string | null;
            /** @description When it replaces `secret`, unless it is activated earlier. */
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
        TestEvent: {
            /**
             * @description Arbitrary JSON object, delivered byte for byte as it was sent.
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
        TooManyRequests: components["schemas"]["BurstLimitExceeded"] | components["schemas"]["QuotaExceeded"] | components["schemas"]["DeliveryBudgetExceeded"] | components["schemas"]["PendingBudgetExceeded"];
    };
    responses: {
        /** @description The body or a parameter is malformed, unknown, or must not be there. */
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
        /** @description The service can not answer right now; `code` says why, and whether it is certain that nothing was done. */
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
export type ApiError = components['schemas']['ApiError'];
export type ApiKey = components['schemas']['ApiKey'];
export type Attempt = components['schemas']['Attempt'];
export type AttemptCounts = components['schemas']['AttemptCounts'];
export type AttemptErrorCode = components['schemas']['AttemptErrorCode'];
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
export type CreatedEndpoint = components['schemas']['CreatedEndpoint'];
export type DeliveredEvent = components['schemas']['DeliveredEvent'];
export type Delivery = components['schemas']['Delivery'];
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
export type EndpointOptions = components['schemas']['EndpointOptions'];
export type EndpointOptionsChange = components['schemas']['EndpointOptionsChange'];
export type EndpointPage = components['schemas']['EndpointPage'];
export type EndpointStats = components['schemas']['EndpointStats'];
export type EndpointStatus = components['schemas']['EndpointStatus'];
export type EndpointVerification = components['schemas']['EndpointVerification'];
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
export type HeldReason = components['schemas']['HeldReason'];
export type Latency = components['schemas']['Latency'];
export type ListedEvent = components['schemas']['ListedEvent'];
export type NewEndpoint = components['schemas']['NewEndpoint'];
export type NewEvent = components['schemas']['NewEvent'];
export type NewEvents = components['schemas']['NewEvents'];
export type NewReplay = components['schemas']['NewReplay'];
export type PendingBudgetExceeded = components['schemas']['PendingBudgetExceeded'];
export type Product = components['schemas']['Product'];
export type Provider = components['schemas']['Provider'];
export type ProviderSpelling = components['schemas']['ProviderSpelling'];
export type QuotaExceeded = components['schemas']['QuotaExceeded'];
export type Recovery = components['schemas']['Recovery'];
export type RefusedResult = components['schemas']['RefusedResult'];
export type RepeatedResult = components['schemas']['RepeatedResult'];
export type Replay = components['schemas']['Replay'];
export type ReplayableState = components['schemas']['ReplayableState'];
export type ReplayEvent = components['schemas']['ReplayEvent'];
export type ReplayFilter = components['schemas']['ReplayFilter'];
export type ReplayPage = components['schemas']['ReplayPage'];
export type ReplaySelection = components['schemas']['ReplaySelection'];
export type ReplayState = components['schemas']['ReplayState'];
export type Scope = components['schemas']['Scope'];
export type ShownAuthentication = components['schemas']['ShownAuthentication'];
export type ShownBasicAuthentication = components['schemas']['ShownBasicAuthentication'];
export type ShownBearerAuthentication = components['schemas']['ShownBearerAuthentication'];
export type SigningSecrets = components['schemas']['SigningSecrets'];
export type SkippedDelivery = components['schemas']['SkippedDelivery'];
export type StatsWindow = components['schemas']['StatsWindow'];
export type TestEvent = components['schemas']['TestEvent'];
export type TooManyRequests = components['schemas']['TooManyRequests'];
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
            /** @description Nothing has changed since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body or a parameter is malformed, unknown, or must not be there. */
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
            /** @description The body or a parameter is malformed, unknown, or must not be there. */
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
            /** @description The body is larger than 64 KiB. */
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
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Only events accepted then or later; to the second. */
                after?: string;
                /** @description Only events accepted before; to the second. */
                before?: string;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Only deliveries to this endpoint. */
                endpoint_id?: string;
                /** @description Only deliveries of this event. */
                event_id?: number;
                /** @description Most items of the page; 20 when left out. */
                limit?: number;
                /** @description Only deliveries in this state. */
                state?: components["schemas"]["DeliveryState"];
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
                     *           "url": "https://example.com/webhooks",
                     *           "resends": 0,
                     *           "request_headers": {
                     *             "Content-Type": "application/json",
                     *             "X-Webhook-ID": "1001",
                     *             "X-Webhook-Type": "order.created",
                     *             "X-Webhook-Timestamp": "1795262400",
                     *             "X-Webhook-Signature": "sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"
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
            /** @description There is no such delivery, or it is not yours. */
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
            /** @description The delivery as it is now. */
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
            /** @description There is no such delivery, or it is not yours. */
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
            /** @description The delivery as it is now. */
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
            /** @description There is no such delivery, or it is not yours. */
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
            /** @description It is not finished, or its endpoint was removed. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "This delivery is not finished; retry pulls its next attempt forward.",
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
            /** @description The delivery as it is now. */
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
            /** @description There is no such delivery, or it is not yours. */
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
            /** @description It is finished, an attempt is under way, or its endpoint is paused. */
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
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Most items of the page; 100 when left out. */
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
                     *             "headers": {
                     *               "X-Tenant": "blue"
                     *             },
                     *             "authentication": {
                     *               "type": "basic",
                     *               "username": "everpost"
                     *             },
                     *             "filter": null
                     *           },
                     *           "created_at": "2026-11-21T12:00:00.000Z",
                     *           "updated_at": "2026-11-21T12:00:00.000Z"
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
                     *         "headers": {
                     *           "X-Tenant": "blue"
                     *         },
                     *         "authentication": {
                     *           "type": "basic",
                     *           "username": "everpost"
                     *         },
                     *         "filter": null
                     *       },
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
            /** @description The account has as many endpoints as it can have (100). */
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
            /** @description The URL is well-formed and can not be used: its scheme, port, credentials, fragment or host is refused. */
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
                     *         "headers": {
                     *           "X-Tenant": "blue"
                     *         },
                     *         "authentication": {
                     *           "type": "basic",
                     *           "username": "everpost"
                     *         },
                     *         "filter": null
                     *       },
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
            /** @description There is no such endpoint, or it is not yours. */
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
            /** @description There is no such endpoint, or it is not yours. */
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
            /** @description The endpoint as it is now. */
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
                     *         "headers": {
                     *           "X-Tenant": "blue"
                     *         },
                     *         "authentication": {
                     *           "type": "basic",
                     *           "username": "everpost"
                     *         },
                     *         "filter": null
                     *       },
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
            /** @description There is no such endpoint, or it is not yours. */
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
            /** @description The URL is well-formed and can not be used: its scheme, port, credentials, fragment or host is refused. */
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
                     *         "headers": {
                     *           "X-Tenant": "blue"
                     *         },
                     *         "authentication": {
                     *           "type": "basic",
                     *           "username": "everpost"
                     *         },
                     *         "filter": null
                     *       },
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
            /** @description There is no such endpoint, or it is not yours. */
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
            /** @description The replay, which is kept from now on. With Temporal away it begins when that is back. */
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
            /** @description There is no such endpoint, or it is not yours. */
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
            /** @description The account has as many replays running as it can have (10). */
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
                     *         "headers": {
                     *           "X-Tenant": "blue"
                     *         },
                     *         "authentication": {
                     *           "type": "basic",
                     *           "username": "everpost"
                     *         },
                     *         "filter": null
                     *       },
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
            /** @description There is no such endpoint, or it is not yours. */
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
            /** @description There is no such endpoint, or it is not yours. */
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
            /** @description There is no such endpoint, or it is not yours. */
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
                     *       "error": "There is no next secret to activate. Begin a rotation with POST …/secret/rotate.",
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
            /** @description There is no such endpoint, or it is not yours. */
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
                     *       "error": "A rotation is under way. Activate its secret first, or wait until that happens by itself.",
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
                /** @description Events accepted in this time until now; `24h` when left out. */
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
            /** @description There is no such endpoint, or it is not yours. */
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
            /** @description There is no such endpoint, or it is not yours. */
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
            /** @description The type is kept for events of Everpost itself. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "\"type\" must not begin with \"everpost.\": these types are kept for events of Everpost itself.",
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
                     *         "headers": {
                     *           "X-Tenant": "blue"
                     *         },
                     *         "authentication": {
                     *           "type": "basic",
                     *           "username": "everpost"
                     *         },
                     *         "filter": null
                     *       },
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
            /** @description There is no such endpoint, or it is not yours. */
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
                /** @description Only events accepted then or later; to the second. */
                after?: string;
                /** @description Only events accepted before; to the second. */
                before?: string;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Only events that were ingested with this key. */
                idempotency_key?: string;
                /** @description Most items of the page; 20 when left out. */
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
                /** @description The same as `idempotency_key` in the body, which may be left out then. */
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
            /** @description The type is reserved, or the filters of the endpoints would take too long for such data. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "\"type\" must not begin with \"everpost.\": these types are kept for events of Everpost itself.",
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
                     *               "response_snippet": "ok"
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
            /** @description There is no such event, or it is not yours. */
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
            /** @description The deliveries that begin anew, and those that do not. */
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
            /** @description There is no such event, it is not yours, or it has no delivery to an endpoint that is named. */
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
            /** @description It has no delivery that can be replayed. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "No delivery of this event can be replayed: it has none, they are not finished, or their endpoints were removed.",
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
            /** @description What became of each event, in their order. */
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
    listen: {
        parameters: {
            query?: {
                /** @description Patterns of the event types, with commas between them; all of them when left out. */
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
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Most items of the page; 20 when left out. */
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
            /** @description The replay, which is kept from now on. With Temporal away it begins when that is back. */
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
            /** @description The endpoint of the filter does not exist, or it is not yours. */
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
            /** @description The account has as many replays running as it can have (10). */
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
            /** @description There is no such replay, or it is not yours. */
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
            /** @description The replay as it is now. */
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
            /** @description There is no such replay, or it is not yours. */
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
                /** @description Standard Webhooks: the event id. */
                "webhook-id": string;
                /** @description Standard Webhooks: signatures of `<webhook-id>.<webhook-timestamp>.<body>`; two during a rotation. */
                "webhook-signature": string;
                /** @description Standard Webhooks: Unix seconds of this attempt. */
                "webhook-timestamp": string;
                /** @description The event id. */
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
