package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

// IsGenuine takes the bytes of the body as they came, before any JSON parser.
func IsGenuine(secret string, rawBody []byte, signature string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(rawBody)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(signature))
}
