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
import java.util.Base64;
import java.util.HashSet;
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

    /** Standard Webhooks: the HMAC key is what stands after "whsec_", decoded from base64. */
    private final SecretKeySpec key;

    /** 0 turns the check off. */
    private final long toleranceSeconds;

    /**
     * Ids of the handled events. In your service this is a table with a unique column, written in the
     * transaction that does the work. A table outlives the process, and all processes share it.
     */
    private final Set<String> handled = new HashSet<>();

    private Receiver(String secret, long toleranceSeconds) {
        this.key = new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256");
        this.toleranceSeconds = toleranceSeconds;
    }

    /** Whether one of the signatures is right: of the id, the time and the body together, compared in constant time. */
    private boolean isGenuine(Headers headers, byte[] body) throws GeneralSecurityException {
        String signed = headers.getFirst("webhook-id") + "." + headers.getFirst("webhook-timestamp") + ".";
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(key);
        mac.update(signed.getBytes(StandardCharsets.UTF_8));
        byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
        boolean genuine = false;
        // During a rotation of the secret there are two signatures: one of the old secret and one of the new one.
        for (String signature : String.valueOf(headers.getFirst("webhook-signature")).split(" ")) {
            genuine |= MessageDigest.isEqual(expected, signature.getBytes(StandardCharsets.UTF_8));
        }
        return genuine;
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
        if (!isGenuine(headers, body)) {
            return "wrong signature";
        }
        // The signature covers this time.
        if (!isRecent(headers.getFirst("webhook-timestamp"))) {
            return "stale timestamp";
        }
        return id == null ? "no event id" : null;
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
