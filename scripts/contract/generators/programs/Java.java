import com.google.gson.Gson;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.EmployeesApi;
import org.openapitools.client.api.IngestApi;
import org.openapitools.client.model.Employee;
import org.openapitools.client.model.ErrorInfo;
import org.openapitools.client.model.IngestRecordsRequest;
import org.openapitools.client.model.KedoPersonRecord;
import org.openapitools.client.model.ListEmployeesResponse;
import org.openapitools.client.model.Status;

/** Uses the Java client that openapi-generator makes: reads all employees, sends a batch, reads a refusal. Prints what it saw. */
public class Java {
  private static final Map<String, Object> seen = new TreeMap<>();

  private static void count(String name, boolean isSo) {
    seen.merge(name, isSo ? 1 : 0, (a, b) -> (Integer) a + (Integer) b);
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("BASE_URL"));
    client.setApiKey(System.getenv("KEY"));

    EmployeesApi employees = new EmployeesApi(client);
    String pageToken = "";
    do {
      ListEmployeesResponse page =
          employees.listEmployees(1000, pageToken, null, null, null, List.of("person", "manager"), null);
      count("pages", true);
      for (Employee employee : page.getEmployees()) {
        count("employees", true);
        count("persons", employee.getPerson() != null && !employee.getPerson().getFullName().isEmpty());
        count("managers", employee.getManager() != null && !employee.getManager().getFullName().isEmpty());
        count("without_manager", employee.getManagerId().isEmpty());
        count("without_email", "".equals(employee.getWorkEmail()));
        count("without_end", employee.getEndDate().isEmpty());
      }
      pageToken = page.getNextPageToken();
    } while (!pageToken.isEmpty());

    send(client, "KEDO", "PERSONS",
        new KedoPersonRecord().externalId("G-1").firstName("Әсел").birthDate("1990-03-15").email(""));
    send(client, "LEDGER", "EMPLOYEES_FULL", Map.of("ТабельныйНомер", "G-1", "ФизЛицо", Map.of("Имя", "Дәулет")));

    try {
      employees.getEmployee(UUID.fromString("00000000-0000-4000-8000-000000000000"), null);
    } catch (ApiException refused) {
      Status status = Status.fromJson(refused.getResponseBody());
      seen.put("refusal", ((ErrorInfo) status.getDetails().get(0).getActualInstance()).getReason());
    }
    System.out.println(new Gson().toJson(seen));
  }

  private static void send(ApiClient client, String sourceType, String payloadType, Object record) throws ApiException {
    IngestRecordsRequest batch = new IngestRecordsRequest().payloadType(payloadType).addRecordsItem(record);
    String key = System.getenv("BATCH") + "-" + payloadType;
    seen.put(payloadType, new IngestApi(client).ingestRecords(sourceType, key, batch).getRecordCount());
  }
}
