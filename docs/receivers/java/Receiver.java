// Receives Everpost's deliveries with the JDK alone (17 or later). ../README.md says how to run it.

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Receiver {
    /** Everpost sends at most a little more than 256 KiB. */
    private static final int MAX_BODY_BYTES = 1024 * 1024;

    /** Everpost writes the id first, so nothing is parsed before the delivery is known to be genuine and new. */
    private static final Pattern ID_OF_BODY = Pattern.compile("^\\{\"id\":([0-9]+),");

    /** The HMAC key is the whole string, including "whsec_". */
    private final SecretKeySpec key;

    /** 0 turns the check off. */
    private final long toleranceSeconds;

    /**
     * Ids of the handled events. In your service this is a table with a unique column, written in the
     * transaction that does the work. A table outlives the process, and all processes share it.
     */
    private final Set<String> handled = new HashSet<>();

    private Receiver(String secret, long toleranceSeconds) {
        this.key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256");
        this.toleranceSeconds = toleranceSeconds;
    }

    /** Compares the whole header, including "sha256=", in constant time. */
    private boolean isGenuine(byte[] body, String header) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(key);
        String expected = "sha256=" + HexFormat.of().formatHex(mac.doFinal(body));
        byte[] given = (header == null ? "" : header).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), given);
    }

    private boolean isRecent(String header) {
        if (toleranceSeconds == 0) {
            return true;
        }
        return header != null
                && header.matches("[0-9]{1,15}")
                && Math.abs(Instant.now().getEpochSecond() - Long.parseLong(header)) <= toleranceSeconds;
    }

    /** Why the delivery is refused, or null if it is accepted. */
    private String refusal(Headers headers, byte[] body, String id) throws GeneralSecurityException {
        // During a rotation of the secret, the second header is signed with the new one.
        if (!isGenuine(body, headers.getFirst("X-Webhook-Signature"))
                && !isGenuine(body, headers.getFirst("X-Webhook-Signature-Next"))) {
            return "wrong signature";
        }
        // The signature covers the body, not the headers.
        if (id == null || !id.equals(headers.getFirst("X-Webhook-ID"))) {
            return "wrong event id";
        }
        return isRecent(headers.getFirst("X-Webhook-Timestamp")) ? null : "stale timestamp";
    }

    /** Does the work once for each event, however often it arrives. Throw to make Everpost retry. */
    private synchronized void handle(String id) {
        // INSERT INTO handled_events (id) VALUES (?) ON CONFLICT DO NOTHING: no new row means a repeat.
        if (handled.contains(id)) {
            return;
        }
        System.out.println("handled event " + id);
        handled.add(id);
    }

    private void receive(HttpExchange exchange) throws IOException, GeneralSecurityException {
        if (!exchange.getRequestMethod().equals("POST")) {
            answer(exchange, 405, "POST only");
            return;
        }
        byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
        if (body.length > MAX_BODY_BYTES) {
            answer(exchange, 413, "body too large");
            return;
        }
        Matcher matcher =
                ID_OF_BODY.matcher(new String(body, 0, Math.min(body.length, 32), StandardCharsets.ISO_8859_1));
        String id = matcher.find() ? matcher.group(1) : null;
        String reason = refusal(exchange.getRequestHeaders(), body, id);
        if (reason != null) {
            answer(exchange, 401, reason);
            return;
        }
        handle(id);
        exchange.sendResponseHeaders(204, -1);
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            try {
                receive(exchange);
            } catch (GeneralSecurityException | RuntimeException error) {
                error.printStackTrace();
                exchange.sendResponseHeaders(500, -1);
            }
        }
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    private static String env(String name, String otherwise) {
        String value = System.getenv(name);
        return value == null || value.isEmpty() ? otherwise : value;
    }

    public static void main(String[] args) throws IOException {
        String secret = env("WEBHOOK_SECRET", "");
        if (secret.isEmpty()) {
            System.err.println("Set WEBHOOK_SECRET to the signing secret of the endpoint.");
            System.exit(1);
        }
        int port = Integer.parseInt(args.length > 0 ? args[0] : env("PORT", "8000"));
        Receiver receiver = new Receiver(secret, Long.parseLong(env("TIMESTAMP_TOLERANCE_SECONDS", "300")));

        // How many seconds a request may take to arrive. The JDK's server has no other way to set it.
        System.setProperty("sun.net.httpserver.maxReqTime", "30");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", receiver::serve);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.start();
        System.out.println("listening on http://127.0.0.1:" + port);
    }
}
