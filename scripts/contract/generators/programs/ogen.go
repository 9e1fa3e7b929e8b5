// Uses the client that ogen makes: reads all employees, sends a batch, reads a refusal. Prints what it saw.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"example.com/client/api"
	"github.com/go-faster/jx"
	"github.com/google/uuid"
)

type key string

func (k key) ApiKey(context.Context, api.OperationName) (api.ApiKey, error) {
	return api.ApiKey{APIKey: string(k)}, nil
}

func main() {
	ctx := context.Background()
	client, err := api.NewClient(os.Getenv("BASE_URL"), key(os.Getenv("KEY")))
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
	for pageToken, more := "", true; more; more = pageToken != "" {
		answer, err := client.ListEmployees(ctx, api.ListEmployeesParams{
			Limit: api.NewOptInt32(1000), PageToken: api.NewOptString(pageToken),
			Expand: []api.ExpandEmployeeItem{api.ExpandEmployeeItemPerson, api.ExpandEmployeeItemManager},
		})
		if err != nil {
			log.Fatal(err)
		}
		page, ok := answer.(*api.ListEmployeesResponseHeaders)
		if !ok {
			log.Fatalf("%+v", answer)
		}
		counts["pages"]++
		for _, employee := range page.Response.Employees {
			counts["employees"]++
			count("persons", employee.Person.Value.FullName.Value != "")
			count("managers", employee.Manager.Value.FullName.Value != "")
			count("without_manager", employee.ManagerID == "")
			count("without_email", employee.WorkEmail.Set && employee.WorkEmail.Value == "")
			count("without_end", employee.EndDate == "")
		}
		pageToken = string(page.Response.NextPageToken)
	}

	send := func(sourceType, payloadType string, record interface{}) {
		raw, err := json.Marshal(record)
		if err != nil {
			log.Fatal(err)
		}
		batch := api.IngestRecordsRequest{PayloadType: payloadType, Records: []jx.Raw{raw}}
		params := api.IngestRecordsParams{SourceType: sourceType, IdempotencyKey: os.Getenv("BATCH") + "-" + payloadType}
		answer, err := client.IngestRecords(ctx, &batch, params)
		if err != nil {
			log.Fatal(err)
		}
		accepted, ok := answer.(*api.IngestRecordsResponseHeaders)
		if !ok {
			log.Fatalf("%+v", answer)
		}
		counts[payloadType] = int(accepted.Response.RecordCount)
	}
	send("KEDO", "PERSONS", map[string]string{
		"external_id": "G-1", "first_name": "Әсел", "birth_date": "1990-03-15", "email": "",
	})
	send("LEDGER", "EMPLOYEES_FULL", map[string]interface{}{
		"ТабельныйНомер": "G-1", "ФизЛицо": map[string]string{"Имя": "Дәулет"},
	})

	unknown := uuid.MustParse("00000000-0000-4000-8000-000000000000")
	answer, err := client.GetEmployee(ctx, api.GetEmployeeParams{EmployeeID: unknown})
	if err != nil {
		log.Fatal(err)
	}
	refused, ok := answer.(*api.EmployeeNotFoundHeaders)
	if !ok {
		log.Fatalf("%+v", answer)
	}
	seen["refusal"] = refused.Response.Details[0].ErrorInfo.Reason
	for name, number := range counts {
		seen[name] = number
	}
	line, err := json.Marshal(seen)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(line))
}
