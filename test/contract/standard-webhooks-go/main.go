// Verifies deliveries with the Go library of Standard Webhooks: reads them from stdin, and prints a line for each.
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type delivery struct {
	Secret  string            `json:"secret"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

func verify(given delivery) string {
	webhook, err := standardwebhooks.NewWebhook(given.Secret)
	if err != nil {
		return err.Error()
	}
	body, err := base64.StdEncoding.DecodeString(given.Body)
	if err != nil {
		return err.Error()
	}
	headers := http.Header{}
	for name, value := range given.Headers {
		headers.Set(name, value)
	}
	if webhook.Verify(body, headers) != nil {
		return "refused"
	}
	return "verified"
}

func main() {
	var all []delivery
	if err := json.NewDecoder(os.Stdin).Decode(&all); err != nil {
		panic(err)
	}
	for _, given := range all {
		fmt.Println(verify(given))
	}
}
