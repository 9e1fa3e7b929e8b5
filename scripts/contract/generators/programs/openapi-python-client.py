"""Uses the client that openapi-python-client makes: reads all employees, sends a batch, reads a refusal. Prints what it saw."""

import json
import os
from http import HTTPStatus

from developer_api_client import AuthenticatedClient
from developer_api_client.api.employees import get_employee, list_employees
from developer_api_client.api.ingest import ingest_records
from developer_api_client.models import (
    ErrorInfo,
    IngestRecordsRequest,
    IngestRecordsResponse,
    KedoPersonRecord,
    ListEmployeesExpandItem,
    ListEmployeesResponse,
    Status,
)

client = AuthenticatedClient(os.environ["BASE_URL"], os.environ["KEY"], prefix="", auth_header_name="X-API-Key")
expand = [ListEmployeesExpandItem.PERSON, ListEmployeesExpandItem.MANAGER]

seen = dict.fromkeys(
    ["pages", "employees", "persons", "managers", "without_manager", "without_email", "without_end"], 0
)
page_token = ""
while True:
    page = list_employees.sync(client=client, limit=1000, page_token=page_token, expand=expand)
    assert isinstance(page, ListEmployeesResponse), page
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
    accepted = ingest_records.sync(
        source_type,
        client=client,
        body=IngestRecordsRequest(payload_type=payload_type, records=[record]),
        idempotency_key=f"{os.environ['BATCH']}-{payload_type}",
    )
    assert isinstance(accepted, IngestRecordsResponse), accepted
    seen[payload_type] = accepted.record_count

refused = get_employee.sync_detailed("00000000-0000-4000-8000-000000000000", client=client)
assert refused.status_code == HTTPStatus.NOT_FOUND and isinstance(refused.parsed, Status), refused
first = refused.parsed.details[0]
assert isinstance(first, ErrorInfo), first
seen["refusal"] = first.reason
print(json.dumps(seen))
