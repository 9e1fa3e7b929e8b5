// Uses the client that oapi-codegen makes: reads all employees, sends a batch, reads a refusal. Prints what it saw.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"example.com/client/api"
	"github.com/google/uuid"
)

func main() {
	ctx := context.Background()
	withKey := api.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-Key", os.Getenv("KEY"))
		return nil
	})
	client, err := api.NewClientWithResponses(os.Getenv("BASE_URL"), withKey)
	if err != nil {
		log.Fatal(err)
	}

	seen := map[string]interface{}{}
	counts := map[string]int{}
	count := func(name string, isSo bool) {
		if isSo {
			counts[name]++
		}
	}
	limit, expand := int32(1000), []string{"person", "manager"}
	for pageToken, more := "", true; more; more = pageToken != "" {
		params := api.ListEmployeesParams{Limit: &limit, PageToken: &pageToken, Expand: &expand}
		page, err := client.ListEmployeesWithResponse(ctx, &params)
		if err != nil || page.JSON200 == nil {
			log.Fatal(err, page)
		}
		counts["pages"]++
		for _, employee := range page.JSON200.Employees {
			counts["employees"]++
			count("persons", employee.Person != nil && employee.Person.FullName != nil && *employee.Person.FullName != "")
			count("managers", employee.Manager != nil && employee.Manager.FullName != nil && *employee.Manager.FullName != "")
			count("without_manager", employee.ManagerId == "")
			count("without_email", employee.WorkEmail != nil && *employee.WorkEmail == "")
			count("without_end", employee.EndDate == "")
		}
		pageToken = page.JSON200.NextPageToken
	}

	send := func(sourceType, payloadType string, record interface{}) {
		params := api.IngestRecordsParams{IdempotencyKey: os.Getenv("BATCH") + "-" + payloadType}
		batch := api.IngestRecordsRequest{PayloadType: payloadType, Records: []interface{}{record}}
		accepted, err := client.IngestRecordsWithResponse(ctx, sourceType, &params, batch)
		if err != nil || accepted.JSON200 == nil {
			log.Fatal(err, accepted)
		}
		counts[payloadType] = int(accepted.JSON200.RecordCount)
	}
	send("KEDO", "PERSONS", map[string]string{
		"external_id": "G-1", "first_name": "Әсел", "birth_date": "1990-03-15", "email": "",
	})
	send("LEDGER", "EMPLOYEES_FULL", map[string]interface{}{
		"ТабельныйНомер": "G-1", "ФизЛицо": map[string]string{"Имя": "Дәулет"},
	})

	unknown := uuid.MustParse("00000000-0000-4000-8000-000000000000")
	refused, err := client.GetEmployeeWithResponse(ctx, unknown, &api.GetEmployeeParams{})
	if err != nil || refused.JSON404 == nil {
		log.Fatal(err, refused)
	}
	info, err := refused.JSON404.Details[0].AsErrorInfo()
	if err != nil {
		log.Fatal(err)
	}
	seen["refusal"] = info.Reason
	for name, number := range counts {
		seen[name] = number
	}
	line, err := json.Marshal(seen)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(line))
}
