"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.ConfigError = void 0;
exports.loadConfig = loadConfig;
const node_os_1 = require("node:os");
const node_path_1 = require("node:path");
const envconfig_1 = require("@temporalio/envconfig");
const zod_1 = require("zod");
const delivery_contract_1 = require("./domain/delivery-contract");
const duration_1 = require("./domain/duration");
const retry_schedule_1 = require("./domain/retry-schedule");
const parse_settings_1 = require("./parse-settings");
/** A setting that can't be used; its message names each one. Printed alone, without a stack. */
class ConfigError extends Error {
}
exports.ConfigError = ConfigError;
const port = zod_1.z.coerce.number().int().min(0).max(65_535);
const flag = zod_1.z
    .enum(['', '0', '1', 'true', 'false', 'yes', 'no'])
    .transform((value) => ['1', 'true', 'yes'].includes(value));
/** Runs a parser that throws, and reports its message as the setting's problem. */
function parsed(parse) {
    return zod_1.z.string().transform((text, context) => {
        try {
            return parse(text);
        }
        catch (error) {
            context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
            return zod_1.z.NEVER;
        }
    });
}
/** A duration in milliseconds, within bounds that are written as durations. */
function duration(least, most) {
    const atLeast = zod_1.z.number().min((0, duration_1.parseDurationMs)(least), `must be at least ${least}`);
    const bounds = most === undefined ? atLeast : atLeast.max((0, duration_1.parseDurationMs)(most), `must be at most ${most}`);
    return parsed(duration_1.parseDurationMs).pipe(bounds);
}
const settings = zod_1.z.object({
    NODE_ENV: zod_1.z.string().default('development'),
    HOST: zod_1.z.string().min(1).default('127.0.0.1'),
    PORT: port.default(8080),
    METRICS_PORT: port.default(0),
    PROCESSES: zod_1.z.coerce.number().int().min(1).max(64).default(1),
    PUBLIC_URL: zod_1.z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    ALLOWED_HOSTS: parsed(parse_settings_1.parseHosts).optional(),
    LOG_LEVEL: zod_1.z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    EVERPOST_DATA_DIR: zod_1.z.string().min(1).default('.everpost'),
    XDG_CACHE_HOME: zod_1.z.string().optional(),
    MONGODB_URI: zod_1.z
        .string()
        .regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://')
        .optional(),
    MONGODB_PORT: port.default(27_117),
    MONGOD_BINARY: zod_1.z.string().optional(),
    TEMPORAL_ADDRESS: zod_1.z.string().optional(),
    TEMPORAL_NAMESPACE: zod_1.z.string().optional(),
    TEMPORAL_PORT: port.default(7233),
    TEMPORAL_UI_PORT: port.default(8233),
    TEMPORAL_BINARY: zod_1.z.string().optional(),
    // Temporal keeps them for a day at least.
    TEMPORAL_RETENTION: duration('24h').prefault('3d'),
    RETRY_SCHEDULE: parsed(retry_schedule_1.parseRetrySchedule).prefault(retry_schedule_1.DEFAULT_RETRY_SCHEDULE),
    DELIVERY_TIMEOUT: duration('1ms', '30s').prefault('30s'),
    FIRST_ATTEMPT: zod_1.z.enum(delivery_contract_1.FIRST_ATTEMPT_MODES).default('auto'),
    ENDPOINT_AUTO_DISABLE_AFTER: duration('1h').optional(),
    ENDPOINT_VERIFICATION: zod_1.z.enum(['off', 'challenge']).default('off'),
    DELIVERY_ALLOW_HTTP: flag.prefault(''),
    DELIVERY_ALLOW_CIDRS: parsed(parse_settings_1.parseCidrs).prefault(''),
    DELIVERY_DENY_CIDRS: parsed(parse_settings_1.parseCidrs).prefault(''),
    DELIVERY_PROXY: parsed(parse_settings_1.parseProxy).optional(),
    DELIVERY_ALLOW_PORTS: parsed(parse_settings_1.parsePorts).prefault('443,8443'),
    DELIVERY_CA_FILE: parsed(parse_settings_1.readCertificates).optional(),
    EVERPOST_ALLOW_PRIVATE_IN_PRODUCTION: flag.prefault(''),
    NODE_EXTRA_CA_CERTS: parsed(parse_settings_1.readCertificates).optional(),
    INGEST_MAX_WAITING: zod_1.z.coerce.number().int().min(1).default(1_000),
    INGEST_MAX_WAITING_BYTES: zod_1.z.coerce
        .number()
        .int()
        .min(2_097_152, 'must be at least 2097152, the size of a batch')
        .default(64 * 1_024 * 1_024),
    AUTH_FAILURES_PER_MINUTE: zod_1.z.coerce.number().int().min(1).default(600),
    ESTIMATOR_PER_MINUTE: zod_1.z.coerce.number().int().min(1).default(60),
    MAX_CONNECTIONS: zod_1.z.coerce.number().int().min(1).optional(),
    TRUSTED_PROXIES: parsed(parse_settings_1.parseCidrs).prefault(''),
    TIERS: parsed(parse_settings_1.parseTiers).prefault('[]'),
    // An idempotency key heals an event that is missing, for 24 hours: it must not bring back a delivered one.
    RETENTION: duration('48h', '3650d').prefault('30d'),
    AUDIT_RETENTION: duration('24h', '3650d').optional(),
    SIGN_UP: zod_1.z.enum(['open', 'closed']).optional(),
    TEMPORAL_UI_URL: zod_1.z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    ENCRYPTION_KEY: parsed(parse_settings_1.parseEncryptionKeys).prefault(''),
});
/**
 * Reads and validates every setting. The only place that looks at the environment.
 *
 * @param env the environment; an empty value counts as not set
 * @throws ConfigError naming every setting that can't be used
 */
function loadConfig(env = process.env) {
    const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
    const result = settings.safeParse(present);
    if (!result.success) {
        const problems = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
        throw new ConfigError(`Settings that can't be used (see .env.example):\n${problems.join('\n')}`);
    }
    const value = result.data;
    const production = value.NODE_ENV === 'production';
    const widened = value.DELIVERY_ALLOW_HTTP || value.DELIVERY_ALLOW_CIDRS.length > 0;
    if (production && widened && !value.EVERPOST_ALLOW_PRIVATE_IN_PRODUCTION) {
        throw new ConfigError('DELIVERY_ALLOW_HTTP and DELIVERY_ALLOW_CIDRS open private networks to every key holder and are refused when ' +
            'NODE_ENV=production. Set EVERPOST_ALLOW_PRIVATE_IN_PRODUCTION=1 if that is what you want.');
    }
    const temporal = temporalConnection(present);
    return Object.freeze({
        production,
        ...addressesOf(value),
        metricsPort: value.METRICS_PORT,
        processes: value.PROCESSES,
        logLevel: value.LOG_LEVEL,
        // Against DNS rebinding, which is for machines that a browser runs on (SECURITY.md).
        allowedHosts: [value.HOST.toLowerCase(), ...(value.ALLOWED_HOSTS ?? (production ? ['*'] : []))],
        dataDir: (0, node_path_1.resolve)(value.EVERPOST_DATA_DIR),
        cacheDir: (0, node_path_1.join)(value.XDG_CACHE_HOME ?? (0, node_path_1.join)((0, node_os_1.homedir)(), '.cache'), 'everpost'),
        mongodb: { uri: value.MONGODB_URI, port: value.MONGODB_PORT, binary: value.MONGOD_BINARY },
        temporal: {
            address: value.TEMPORAL_ADDRESS ?? temporal.address,
            namespace: temporal.namespace,
            retentionMs: value.TEMPORAL_RETENTION,
            connection: temporal.connection,
            port: value.TEMPORAL_PORT,
            uiPort: value.TEMPORAL_UI_PORT,
            binary: value.TEMPORAL_BINARY,
        },
        delivery: {
            schedule: value.RETRY_SCHEDULE,
            timeoutMs: value.DELIVERY_TIMEOUT,
            firstAttempt: value.FIRST_ATTEMPT,
            autoDisableAfterMs: value.ENDPOINT_AUTO_DISABLE_AFTER ?? null,
            verifiesHosts: value.ENDPOINT_VERIFICATION === 'challenge',
            policy: {
                allowHttp: value.DELIVERY_ALLOW_HTTP,
                denyCidrs: value.DELIVERY_DENY_CIDRS,
                allowCidrs: value.DELIVERY_ALLOW_CIDRS,
                allowPorts: value.DELIVERY_ALLOW_PORTS,
                allowTargets: [],
            },
            extraCaPem: [value.NODE_EXTRA_CA_CERTS ?? [], value.DELIVERY_CA_FILE ?? []].flat(),
            proxy: value.DELIVERY_PROXY,
        },
        limits: {
            tiers: value.TIERS,
            authFailuresPerMinute: value.AUTH_FAILURES_PER_MINUTE,
            estimatorPerMinute: value.ESTIMATOR_PER_MINUTE,
            ingest: { calls: value.INGEST_MAX_WAITING, bytes: value.INGEST_MAX_WAITING_BYTES },
            maxConnections: value.MAX_CONNECTIONS,
            trustedProxies: value.TRUSTED_PROXIES,
        },
        dashboard: {
            signUp: (value.SIGN_UP ?? (production ? 'closed' : 'open')) === 'open',
            temporalUiUrl: value.TEMPORAL_UI_URL?.replace(/\/+$/, ''),
        },
        retentionMs: value.RETENTION,
        auditRetentionMs: value.AUDIT_RETENTION,
        encryptionKeys: value.ENCRYPTION_KEY,
    });
}
/** Where the API listens, and where callers reach it. */
function addressesOf({ HOST, PORT, PUBLIC_URL }) {
    return { host: HOST, port: PORT, publicUrl: PUBLIC_URL?.replace(/\/+$/, '') };
}
/** Temporal's standard environment configuration: TLS, API key, metadata, profile file. */
function temporalConnection(env) {
    try {
        const { connectionOptions, namespace } = (0, envconfig_1.loadClientConnectConfig)({
            overrideEnvVars: env,
        });
        return { address: connectionOptions.address, namespace: namespace ?? 'default', connection: connectionOptions };
    }
    catch (error) {
        throw new ConfigError(`Temporal's settings can't be used: ${error instanceof Error ? error.message : String(error)}`);
    }
}
//# sourceMappingURL=config.js.map