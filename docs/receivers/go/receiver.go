// Receives Everpost's deliveries with the standard library alone. ../README.md says how to run it.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"sync"
	"time"
)

// Everpost sends at most a little more than 256 KiB.
const maxBodyBytes = 1 << 20

// Everpost writes the id first, so nothing is parsed before the delivery is known to be genuine and new.
var idOfBody = regexp.MustCompile(`^\{"id":([0-9]+),`)

type receiver struct {
	// The HMAC key is the whole string, including "whsec_".
	secret []byte
	// 0 turns the check off.
	tolerance time.Duration

	// Ids of the handled events. In your service this is a table with a unique column, written in the
	// transaction that does the work. A table outlives the process, and all processes share it.
	mutex   sync.Mutex
	handled map[string]bool
}

// isGenuine compares the whole header, including "sha256=", in constant time.
func (r *receiver) isGenuine(body []byte, header string) bool {
	mac := hmac.New(sha256.New, r.secret)
	mac.Write(body)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(header))
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
	// During a rotation of the secret, the second header is signed with the new one.
	if !r.isGenuine(body, headers.Get("X-Webhook-Signature")) &&
		!r.isGenuine(body, headers.Get("X-Webhook-Signature-Next")) {
		return "wrong signature"
	}
	// The signature covers the body, not the headers.
	if id == "" || headers.Get("X-Webhook-ID") != id {
		return "wrong event id"
	}
	if !r.isRecent(headers.Get("X-Webhook-Timestamp")) {
		return "stale timestamp"
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
	r := &receiver{
		secret:    []byte(os.Getenv("WEBHOOK_SECRET")),
		tolerance: time.Duration(tolerance) * time.Second,
		handled:   map[string]bool{},
	}
	if len(r.secret) == 0 {
		log.Fatal("Set WEBHOOK_SECRET to the signing secret of the endpoint.")
	}
	server := &http.Server{Addr: "127.0.0.1:" + port, Handler: r, ReadTimeout: 30 * time.Second}
	fmt.Printf("listening on http://%s\n", server.Addr)
	log.Fatal(server.ListenAndServe())
}
