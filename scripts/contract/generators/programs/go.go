// Uses the Go client that openapi-generator makes: reads all employees, sends a batch, reads a refusal. Prints what it saw.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"

	openapi "example.com/developer/client"
)

func main() {
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	client := openapi.NewAPIClient(configuration)
	keys := map[string]openapi.APIKey{"ApiKey": {Key: os.Getenv("KEY")}}
	ctx := context.WithValue(context.Background(), openapi.ContextAPIKeys, keys)

	counts := map[string]int{}
	count := func(name string, isSo bool) {
		if isSo {
			counts[name]++
		}
	}
	for pageToken, more := "", true; more; more = pageToken != "" {
		page, _, err := client.EmployeesAPI.ListEmployees(ctx).
			Limit(1000).PageToken(pageToken).Expand([]string{"person", "manager"}).Execute()
		if err != nil {
			log.Fatal(err)
		}
		counts["pages"]++
		for _, employee := range page.Employees {
			counts["employees"]++
			count("persons", employee.Person.GetFullName() != "")
			count("managers", employee.Manager.GetFullName() != "")
			count("without_manager", employee.ManagerId == "")
			count("without_email", employee.WorkEmail != nil && *employee.WorkEmail == "")
			count("without_end", employee.EndDate == "")
		}
		pageToken = page.NextPageToken
	}

	person := openapi.NewKedoPersonRecord("G-1")
	person.SetFirstName("Әсел")
	person.SetBirthDate("1990-03-15")
	person.SetEmail("")
	send := func(sourceType, payloadType string, record interface{}) {
		accepted, _, err := client.IngestAPI.IngestRecords(ctx, sourceType).
			IdempotencyKey(os.Getenv("BATCH") + "-" + payloadType).
			IngestRecordsRequest(*openapi.NewIngestRecordsRequest(payloadType, []interface{}{record})).Execute()
		if err != nil {
			log.Fatal(err)
		}
		counts[payloadType] = int(accepted.RecordCount)
	}
	send("KEDO", "PERSONS", person)
	send("LEDGER", "EMPLOYEES_FULL", map[string]interface{}{
		"ТабельныйНомер": "G-1", "ФизЛицо": map[string]string{"Имя": "Дәулет"},
	})

	_, answer, err := client.EmployeesAPI.GetEmployee(ctx, "00000000-0000-4000-8000-000000000000").Execute()
	var refused *openapi.GenericOpenAPIError
	if !errors.As(err, &refused) || answer.StatusCode != http.StatusNotFound {
		log.Fatal(err)
	}
	status, ok := refused.Model().(openapi.Status)
	if !ok || status.Details[0].ErrorInfo == nil {
		log.Fatal(string(refused.Body()))
	}
	seen := map[string]interface{}{"refusal": status.Details[0].ErrorInfo.Reason}
	for name, number := range counts {
		seen[name] = number
	}
	line, err := json.Marshal(seen)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(line))
}
