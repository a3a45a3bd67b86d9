// Receives Everpost's deliveries with the standard library alone. ../README.md says how to run it.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Everpost sends at most a little more than 256 KiB.
const maxBodyBytes = 1 << 20

// Everpost writes the id first, so nothing is parsed before the delivery is known to be genuine and new.
var idOfBody = regexp.MustCompile(`^\{"id":([0-9]+),`)

type receiver struct {
	// Standard Webhooks: the HMAC key is what stands after "whsec_", decoded from base64.
	key []byte
	// 0 turns the check off.
	tolerance time.Duration

	// Ids of the handled events. In your service this is a table with a unique column, written in the
	// transaction that does the work. A table outlives the process, and all processes share it.
	mutex   sync.Mutex
	handled map[string]bool
}

// isGenuine says whether one of the signatures is right: of the id, the time and the body together, compared in constant time.
func (r *receiver) isGenuine(headers http.Header, body []byte) bool {
	mac := hmac.New(sha256.New, r.key)
	fmt.Fprintf(mac, "%s.%s.", headers.Get("webhook-id"), headers.Get("webhook-timestamp"))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	genuine := false
	// During a rotation of the secret there are two signatures: one of the old secret and one of the new one.
	for _, signature := range strings.Split(headers.Get("webhook-signature"), " ") {
		genuine = hmac.Equal([]byte(expected), []byte(signature)) || genuine
	}
	return genuine
}

func (r *receiver) isRecent(header string) bool {
	if r.tolerance == 0 {
		return true
	}
	seconds, err := strconv.ParseInt(header, 10, 64)
	if err != nil {
		return false
	}
	return time.Since(time.Unix(seconds, 0)).Abs() <= r.tolerance
}

// refusal says why the delivery is refused, or returns an empty string.
func (r *receiver) refusal(headers http.Header, body []byte, id string) string {
	if !r.isGenuine(headers, body) {
		return "wrong signature"
	}
	// The signature covers this time.
	if !r.isRecent(headers.Get("webhook-timestamp")) {
		return "stale timestamp"
	}
	if id == "" {
		return "no event id"
	}
	return ""
}

// handle does the work once for each event, however often it arrives. Return an error to make Everpost retry.
func (r *receiver) handle(id string) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	// INSERT INTO handled_events (id) VALUES ($1) ON CONFLICT DO NOTHING: no new row means a repeat.
	if r.handled[id] {
		return nil
	}
	if _, err := fmt.Printf("handled event %s\n", id); err != nil {
		return err
	}
	r.handled[id] = true
	return nil
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	if request.Method != http.MethodPost {
		http.Error(w, "POST only", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxBodyBytes))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		http.Error(w, "body too large", http.StatusRequestEntityTooLarge)
		return
	}
	if err != nil {
		http.Error(w, "incomplete body", http.StatusBadRequest)
		return
	}
	id := ""
	if match := idOfBody.FindSubmatch(body); match != nil {
		id = string(match[1])
	}
	if reason := r.refusal(request.Header, body, id); reason != "" {
		http.Error(w, reason, http.StatusUnauthorized)
		return
	}
	if err := r.handle(id); err != nil {
		log.Print(err)
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func env(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func main() {
	port := env("PORT", "8000")
	if len(os.Args) > 1 {
		port = os.Args[1]
	}
	tolerance, err := strconv.Atoi(env("TIMESTAMP_TOLERANCE_SECONDS", "300"))
	if err != nil {
		log.Fatal("TIMESTAMP_TOLERANCE_SECONDS is not a number of seconds.")
	}
	// The endpoint's whole signing secret.
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	if err != nil || len(key) == 0 {
		log.Fatal("Set WEBHOOK_SECRET to the signing secret of the endpoint.")
	}
	r := &receiver{
		key:       key,
		tolerance: time.Duration(tolerance) * time.Second,
		handled:   map[string]bool{},
	}
	server := &http.Server{Addr: "127.0.0.1:" + port, Handler: r, ReadTimeout: 30 * time.Second}
	fmt.Printf("listening on http://%s\n", server.Addr)
	log.Fatal(server.ListenAndServe())
}
