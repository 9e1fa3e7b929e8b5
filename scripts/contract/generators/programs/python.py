"""Uses the Python client that openapi-generator makes: reads all employees, sends a batch, reads a refusal. Prints what it saw."""

import json
import os

import openapi_client
from openapi_client.models.error_info import ErrorInfo
from openapi_client.models.ingest_records_request import IngestRecordsRequest
from openapi_client.models.kedo_person_record import KedoPersonRecord
from openapi_client.models.status import Status

configuration = openapi_client.Configuration(
    host=os.environ["BASE_URL"], api_key={"ApiKey": os.environ["KEY"]}
)
client = openapi_client.ApiClient(configuration)
employees = openapi_client.EmployeesApi(client)

seen = dict.fromkeys(
    ["pages", "employees", "persons", "managers", "without_manager", "without_email", "without_end"], 0
)
page_token = ""
while True:
    page = employees.list_employees(limit=1000, page_token=page_token, expand=["person", "manager"])
    seen["pages"] += 1
    for employee in page.employees:
        seen["employees"] += 1
        seen["persons"] += bool(employee.person and employee.person.full_name)
        seen["managers"] += bool(employee.manager and employee.manager.full_name)
        seen["without_manager"] += employee.manager_id == ""
        seen["without_email"] += employee.work_email == ""
        seen["without_end"] += employee.end_date == ""
    page_token = page.next_page_token
    if page_token == "":
        break

for payload_type, source_type, record in [
    ("PERSONS", "KEDO", KedoPersonRecord(external_id="G-1", first_name="Әсел", birth_date="1990-03-15", email="").to_dict()),
    ("EMPLOYEES_FULL", "LEDGER", {"ТабельныйНомер": "G-1", "ФизЛицо": {"Имя": "Дәулет"}}),
]:
    accepted = openapi_client.IngestApi(client).ingest_records(
        source_type,
        f"{os.environ['BATCH']}-{payload_type}",
        IngestRecordsRequest(payload_type=payload_type, records=[record]),
    )
    seen[payload_type] = accepted.record_count

try:
    employees.get_employee("00000000-0000-4000-8000-000000000000")
except openapi_client.ApiException as refused:
    assert refused.status == 404 and isinstance(refused.data, Status), refused
    first = refused.data.details[0].actual_instance
    assert isinstance(first, ErrorInfo), first
    seen["refusal"] = first.reason
print(json.dumps(seen))
