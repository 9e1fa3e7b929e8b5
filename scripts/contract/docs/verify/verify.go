package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"time"
)

var signature = regexp.MustCompile(`^t=([0-9]{10,}),v1=([0-9a-f]{64})$`)

func isGenuine(secret, header string, rawBody []byte) bool {
	parts := signature.FindStringSubmatch(header)
	if parts == nil {
		return false
	}
	t, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil || time.Now().Unix()-t > 300 {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(parts[1] + "."))
	mac.Write(rawBody)
	given, _ := hex.DecodeString(parts[2])
	return hmac.Equal(mac.Sum(nil), given)
}
