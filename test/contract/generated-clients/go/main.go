// Three calls of the client that oapi-codegen writes for Go, against a running Everpost:
//
//	go run . <base URL> <key> <URL of a receiver>
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"everpost/generated-client/everpost"
)

func main() {
	baseURL, key, receiver := os.Args[1], os.Args[2], os.Args[3]
	ctx := context.Background()
	client, err := everpost.NewClientWithResponses(baseURL, everpost.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+key)
			return nil
		}))
	check(err)

	endpoint, err := client.CreateEndpointWithResponse(ctx, nil, everpost.NewEndpoint{Url: receiver})
	check(err)
	// Without a key of the idempotency: it is optional.
	event, err := client.IngestEventWithResponse(ctx, &everpost.IngestEventParams{},
		everpost.NewEvent{Type: "order.created", Data: map[string]any{"language": "go"}})
	check(err)
	found, err := client.GetEventWithResponse(ctx, event.JSON202.Id, nil)
	check(err)
	refused, err := client.IngestEventWithResponse(ctx, nil, everpost.NewEvent{Type: "no type", Data: map[string]any{}})
	check(err)

	fmt.Println(endpoint.StatusCode(), event.StatusCode(), found.JSON200.Type, refused.JSON400.Code)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
