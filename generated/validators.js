// Made from openapi.yaml by `npm run generate`; never edited by hand. Compiled by Ajv; judges parameters, bodies and answers without any dependency.

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})[Tt]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;
const BROKEN_PERCENT = /%(?![0-9A-Fa-f]{2})/;
const LAST_DAY = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** Whether this is a day of the Gregorian calendar, of the years that every typed reader can hold (D-2); all count from 1. */
function isCalendarDay(year, month, day) {
    if (!(year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1))
        return false;
    const leap = month === 2 && (year % 4 === 0 ? year % 100 !== 0 || year % 400 === 0 : false);
    return day <= (LAST_DAY[month] ?? 0) + (leap ? 1 : 0);
}
/** Whether the text is such a day, as `YYYY-MM-DD` (RFC 3339 full-date). */
function isDay(text) {
    const parts = DAY.exec(text);
    return parts !== null && isCalendarDay(Number(parts[1]), Number(parts[2]), Number(parts[3]));
}
/** Whether an instant, in milliseconds since the epoch, is of a year from 1 to 9999 in UTC (D-2). */
const isShownInstant = (ms) => ms >= -62_135_596_800_000 && ms < 253_402_300_800_000;
/**
 * What an RFC 3339 date-time with a zone and at most nine fraction digits says: milliseconds since the epoch, and whether
 * finer digits that are not zero follow. Null unless it is real: a calendar day, no hour 24, no leap second, an offset
 * below 24 hours, and in UTC of a year from 1 to 9999.
 */
function instantOf(text) {
    const [, day = '', time = '', fraction = '', zone = ''] = INSTANT.exec(text) ?? [];
    if (!isDay(day))
        return null;
    const ms = Date.parse(`${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}${zone.toUpperCase()}`);
    return isShownInstant(ms) ? { ms, isFiner: /[1-9]/.test(fraction.slice(3)) } : null;
}
/** An absolute URI in the characters of RFC 3986, a scheme first and every percent sign followed by two hexadecimal digits. */
function isUri(text) {
    return URI.test(text) && !BROKEN_PERCENT.test(text);
}
/** Formats by name, as the contract uses them. The patterns are anchored and linear in the length of the text. */
const formats = {
    date: isDay,
    'date-time': (text) => instantOf(text) !== null,
    uuid: /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/,
    email: /^[^\s@"(),:;<>[\\\]]{1,64}@(?=.{1,253}$)[^\s@.,:;<>()[\\\]]{1,63}(?:\.[^\s@.,:;<>()[\\\]]{1,63})+$/,
    uri: isUri,
    byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
    int32: {
        type: 'number',
        validate: (value) => Number.isInteger(value) && value >= -2147483648 && value <= 2147483647,
    },
    int64: { type: 'number', validate: (value) => Number.isSafeInteger(value) },
};
/** Length of a text in code points, as JSON Schema counts `minLength` and `maxLength`. */
function ucs2length(text) {
    let length = text.length;
    for (let index = 0; index < text.length - 1; index += 1) {
        const unit = text.charCodeAt(index);
        if (unit < 0xd800 || unit > 0xdbff)
            continue;
        const next = text.charCodeAt(index + 1);
        if (next >= 0xdc00 && next <= 0xdfff) {
            length -= 1;
            index += 1;
        }
    }
    return length;
}
/**
 * True where no scalar stands twice. Time is linear in the number of elements, which Ajv's own check is not for elements
 * that are references. Objects and arrays are not compared, which would take long for large ones: no list of the
 * contract that must be unique has them, so the type of the element refuses them.
 */
function isUnique(items) {
    const scalars = items.filter((item) => typeof item !== 'object' || item === null);
    return new Set(scalars).size === scalars.length;
}
class Full {
  constructor(errors) { this.errors = errors; }
}
function added(errors, error) {
  if (errors === null) return [error];
  if (errors.push(error) >= 100) throw new Full(errors);
  return errors;
}
function joined(errors, more) {
  return more.reduce(added, errors);
}
function bounded(validate) {
  const check = (value) => {
    try {
      const valid = validate(value);
      check.errors = valid ? null : validate.errors;
      return valid;
    } catch (error) {
      if (!(error instanceof Full)) throw error;
      check.errors = error.errors;
      return false;
    }
  };
  check.errors = null;
  return check;
}
const requests = (() => {
function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
for(const key1 in data0){
const err4 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err4);
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key2 in data1){
const err6 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err6);
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err7);
errors++;
}
}
if(data.header !== undefined){
let data2 = data.header;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
}
else {
const err8 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err8);
errors++;
}
}
}
else {
const err9 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err9);
errors++;
}
validate25.errors = vErrors;
return errors === 0;
}
const schema31 = {"$id":"operation:listEmployees_parameters","type":"object","properties":{"path":{"type":"object","properties":{},"required":[],"additionalProperties":false},"query":{"type":"object","properties":{"limit":{"type":"integer","format":"int32","minimum":1,"maximum":2147483647},"page_token":{"type":"string"},"status":{"type":"array","maxItems":100,"items":{"$ref":"component:EmployeeStatus"}},"department_id":{"type":"array","maxItems":100,"items":{"type":"string","minLength":1}},"updated_since":{"type":"string","format":"date-time"},"expand":{"type":"array","maxItems":100,"items":{"type":"string","enum":["person","department","job_title","manager"]}},"include_total":{"type":"boolean"}},"required":[],"additionalProperties":false},"header":{"type":"object","properties":{},"required":[],"additionalProperties":true}},"required":["path","query","header"],"additionalProperties":false};
const schema32 = {"$id":"component:EmployeeStatus","type":"string","enum":["EMPLOYEE_STATUS_UNSPECIFIED","EMPLOYEE_STATUS_HIRED","EMPLOYEE_STATUS_ACCEPTED","EMPLOYEE_STATUS_ONBOARDING","EMPLOYEE_STATUS_ACTIVE","EMPLOYEE_STATUS_TERMINATED","EMPLOYEE_STATUS_LEAVE","EMPLOYEE_STATUS_ON_HOLD"]};
const formats0 = formats.int32;
const formats2 = formats["date-time"];
const func3 = ucs2length;
function validate26(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
for(const key1 in data0){
const err4 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err4);
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key2 in data1){
if(!(((((((key2 === "limit") || (key2 === "page_token")) || (key2 === "status")) || (key2 === "department_id")) || (key2 === "updated_since")) || (key2 === "expand")) || (key2 === "include_total"))){
const err6 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err6);
errors++;
}
}
if(data1.limit !== undefined){
let data2 = data1.limit;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err7 = {instancePath:instancePath+"/query/limit",keyword:"type",params:{type: "integer"}};
vErrors = added(vErrors, err7);
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 2147483647 || isNaN(data2)){
const err8 = {instancePath:instancePath+"/query/limit",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}};
vErrors = added(vErrors, err8);
errors++;
}
if(data2 < 1 || isNaN(data2)){
const err9 = {instancePath:instancePath+"/query/limit",keyword:"minimum",params:{comparison: ">=", limit: 1}};
vErrors = added(vErrors, err9);
errors++;
}
if(!(formats0.validate(data2))){
const err10 = {instancePath:instancePath+"/query/limit",keyword:"format",params:{format: "int32"}};
vErrors = added(vErrors, err10);
errors++;
}
}
}
if(data1.page_token !== undefined){
if(typeof data1.page_token !== "string"){
const err11 = {instancePath:instancePath+"/query/page_token",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err11);
errors++;
}
}
if(data1.status !== undefined){
let data4 = data1.status;
if(Array.isArray(data4)){
if(data4.length > 100){
const err12 = {instancePath:instancePath+"/query/status",keyword:"maxItems",params:{limit: 100}};
vErrors = added(vErrors, err12);
errors++;
}
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
let data5 = data4[i0];
if(typeof data5 !== "string"){
const err13 = {instancePath:instancePath+"/query/status/" + i0,keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err13);
errors++;
}
if(!((((((((data5 === "EMPLOYEE_STATUS_UNSPECIFIED") || (data5 === "EMPLOYEE_STATUS_HIRED")) || (data5 === "EMPLOYEE_STATUS_ACCEPTED")) || (data5 === "EMPLOYEE_STATUS_ONBOARDING")) || (data5 === "EMPLOYEE_STATUS_ACTIVE")) || (data5 === "EMPLOYEE_STATUS_TERMINATED")) || (data5 === "EMPLOYEE_STATUS_LEAVE")) || (data5 === "EMPLOYEE_STATUS_ON_HOLD"))){
const err14 = {instancePath:instancePath+"/query/status/" + i0,keyword:"enum",params:{allowedValues: schema32.enum}};
vErrors = added(vErrors, err14);
errors++;
}
}
}
else {
const err15 = {instancePath:instancePath+"/query/status",keyword:"type",params:{type: "array"}};
vErrors = added(vErrors, err15);
errors++;
}
}
if(data1.department_id !== undefined){
let data6 = data1.department_id;
if(Array.isArray(data6)){
if(data6.length > 100){
const err16 = {instancePath:instancePath+"/query/department_id",keyword:"maxItems",params:{limit: 100}};
vErrors = added(vErrors, err16);
errors++;
}
const len1 = data6.length;
for(let i1=0; i1<len1; i1++){
let data7 = data6[i1];
if(typeof data7 === "string"){
if(func3(data7) < 1){
const err17 = {instancePath:instancePath+"/query/department_id/" + i1,keyword:"minLength",params:{limit: 1}};
vErrors = added(vErrors, err17);
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/query/department_id/" + i1,keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err18);
errors++;
}
}
}
else {
const err19 = {instancePath:instancePath+"/query/department_id",keyword:"type",params:{type: "array"}};
vErrors = added(vErrors, err19);
errors++;
}
}
if(data1.updated_since !== undefined){
let data8 = data1.updated_since;
if(typeof data8 === "string"){
if(!(formats2(data8))){
const err20 = {instancePath:instancePath+"/query/updated_since",keyword:"format",params:{format: "date-time"}};
vErrors = added(vErrors, err20);
errors++;
}
}
else {
const err21 = {instancePath:instancePath+"/query/updated_since",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err21);
errors++;
}
}
if(data1.expand !== undefined){
let data9 = data1.expand;
if(Array.isArray(data9)){
if(data9.length > 100){
const err22 = {instancePath:instancePath+"/query/expand",keyword:"maxItems",params:{limit: 100}};
vErrors = added(vErrors, err22);
errors++;
}
const len2 = data9.length;
for(let i2=0; i2<len2; i2++){
let data10 = data9[i2];
if(typeof data10 !== "string"){
const err23 = {instancePath:instancePath+"/query/expand/" + i2,keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err23);
errors++;
}
if(!((((data10 === "person") || (data10 === "department")) || (data10 === "job_title")) || (data10 === "manager"))){
const err24 = {instancePath:instancePath+"/query/expand/" + i2,keyword:"enum",params:{allowedValues: schema31.properties.query.properties.expand.items.enum}};
vErrors = added(vErrors, err24);
errors++;
}
}
}
else {
const err25 = {instancePath:instancePath+"/query/expand",keyword:"type",params:{type: "array"}};
vErrors = added(vErrors, err25);
errors++;
}
}
if(data1.include_total !== undefined){
if(typeof data1.include_total !== "boolean"){
const err26 = {instancePath:instancePath+"/query/include_total",keyword:"type",params:{type: "boolean"}};
vErrors = added(vErrors, err26);
errors++;
}
}
}
else {
const err27 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err27);
errors++;
}
}
if(data.header !== undefined){
let data12 = data.header;
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
}
else {
const err28 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err28);
errors++;
}
}
}
else {
const err29 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err29);
errors++;
}
validate26.errors = vErrors;
return errors === 0;
}
const schema33 = {"$id":"operation:getEmployee_parameters","type":"object","properties":{"path":{"type":"object","properties":{"employee_id":{"type":"string","format":"uuid"}},"required":["employee_id"],"additionalProperties":false},"query":{"type":"object","properties":{"expand":{"type":"array","maxItems":100,"items":{"type":"string","enum":["person","department","job_title","manager"]}}},"required":[],"additionalProperties":false},"header":{"type":"object","properties":{},"required":[],"additionalProperties":true}},"required":["path","query","header"],"additionalProperties":false};
const formats4 = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;
function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.employee_id === undefined){
const err4 = {instancePath:instancePath+"/path",keyword:"required",params:{missingProperty: "employee_id"}};
vErrors = added(vErrors, err4);
errors++;
}
for(const key1 in data0){
if(!(key1 === "employee_id")){
const err5 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data0.employee_id !== undefined){
let data1 = data0.employee_id;
if(typeof data1 === "string"){
if(!(formats4.test(data1))){
const err6 = {instancePath:instancePath+"/path/employee_id",keyword:"format",params:{format: "uuid"}};
vErrors = added(vErrors, err6);
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/path/employee_id",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err7);
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err8);
errors++;
}
}
if(data.query !== undefined){
let data2 = data.query;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key2 in data2){
if(!(key2 === "expand")){
const err9 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err9);
errors++;
}
}
if(data2.expand !== undefined){
let data3 = data2.expand;
if(Array.isArray(data3)){
if(data3.length > 100){
const err10 = {instancePath:instancePath+"/query/expand",keyword:"maxItems",params:{limit: 100}};
vErrors = added(vErrors, err10);
errors++;
}
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
if(typeof data4 !== "string"){
const err11 = {instancePath:instancePath+"/query/expand/" + i0,keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err11);
errors++;
}
if(!((((data4 === "person") || (data4 === "department")) || (data4 === "job_title")) || (data4 === "manager"))){
const err12 = {instancePath:instancePath+"/query/expand/" + i0,keyword:"enum",params:{allowedValues: schema33.properties.query.properties.expand.items.enum}};
vErrors = added(vErrors, err12);
errors++;
}
}
}
else {
const err13 = {instancePath:instancePath+"/query/expand",keyword:"type",params:{type: "array"}};
vErrors = added(vErrors, err13);
errors++;
}
}
}
else {
const err14 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err14);
errors++;
}
}
if(data.header !== undefined){
let data5 = data.header;
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
}
else {
const err15 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err15);
errors++;
}
}
}
else {
const err16 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err16);
errors++;
}
validate27.errors = vErrors;
return errors === 0;
}
function validate28(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
for(const key1 in data0){
const err4 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err4);
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key2 in data1){
const err6 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err6);
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err7);
errors++;
}
}
if(data.header !== undefined){
let data2 = data.header;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
}
else {
const err8 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err8);
errors++;
}
}
}
else {
const err9 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err9);
errors++;
}
validate28.errors = vErrors;
return errors === 0;
}
function validate29(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
for(const key1 in data0){
const err4 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err4);
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key2 in data1){
if(!(((key2 === "limit") || (key2 === "page_token")) || (key2 === "category_id"))){
const err6 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err6);
errors++;
}
}
if(data1.limit !== undefined){
let data2 = data1.limit;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err7 = {instancePath:instancePath+"/query/limit",keyword:"type",params:{type: "integer"}};
vErrors = added(vErrors, err7);
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 2147483647 || isNaN(data2)){
const err8 = {instancePath:instancePath+"/query/limit",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}};
vErrors = added(vErrors, err8);
errors++;
}
if(data2 < 1 || isNaN(data2)){
const err9 = {instancePath:instancePath+"/query/limit",keyword:"minimum",params:{comparison: ">=", limit: 1}};
vErrors = added(vErrors, err9);
errors++;
}
if(!(formats0.validate(data2))){
const err10 = {instancePath:instancePath+"/query/limit",keyword:"format",params:{format: "int32"}};
vErrors = added(vErrors, err10);
errors++;
}
}
}
if(data1.page_token !== undefined){
if(typeof data1.page_token !== "string"){
const err11 = {instancePath:instancePath+"/query/page_token",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err11);
errors++;
}
}
if(data1.category_id !== undefined){
let data4 = data1.category_id;
if(Array.isArray(data4)){
if(data4.length > 100){
const err12 = {instancePath:instancePath+"/query/category_id",keyword:"maxItems",params:{limit: 100}};
vErrors = added(vErrors, err12);
errors++;
}
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
let data5 = data4[i0];
if(typeof data5 === "string"){
if(func3(data5) < 1){
const err13 = {instancePath:instancePath+"/query/category_id/" + i0,keyword:"minLength",params:{limit: 1}};
vErrors = added(vErrors, err13);
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/query/category_id/" + i0,keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err14);
errors++;
}
}
}
else {
const err15 = {instancePath:instancePath+"/query/category_id",keyword:"type",params:{type: "array"}};
vErrors = added(vErrors, err15);
errors++;
}
}
}
else {
const err16 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err16);
errors++;
}
}
if(data.header !== undefined){
let data6 = data.header;
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
}
else {
const err17 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err17);
errors++;
}
}
}
else {
const err18 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err18);
errors++;
}
validate29.errors = vErrors;
return errors === 0;
}
function validate30(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
for(const key1 in data0){
const err4 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err4);
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key2 in data1){
if(!((key2 === "limit") || (key2 === "page_token"))){
const err6 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err6);
errors++;
}
}
if(data1.limit !== undefined){
let data2 = data1.limit;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err7 = {instancePath:instancePath+"/query/limit",keyword:"type",params:{type: "integer"}};
vErrors = added(vErrors, err7);
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 2147483647 || isNaN(data2)){
const err8 = {instancePath:instancePath+"/query/limit",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}};
vErrors = added(vErrors, err8);
errors++;
}
if(data2 < 1 || isNaN(data2)){
const err9 = {instancePath:instancePath+"/query/limit",keyword:"minimum",params:{comparison: ">=", limit: 1}};
vErrors = added(vErrors, err9);
errors++;
}
if(!(formats0.validate(data2))){
const err10 = {instancePath:instancePath+"/query/limit",keyword:"format",params:{format: "int32"}};
vErrors = added(vErrors, err10);
errors++;
}
}
}
if(data1.page_token !== undefined){
if(typeof data1.page_token !== "string"){
const err11 = {instancePath:instancePath+"/query/page_token",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err11);
errors++;
}
}
}
else {
const err12 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err12);
errors++;
}
}
if(data.header !== undefined){
let data4 = data.header;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
}
else {
const err13 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err13);
errors++;
}
}
}
else {
const err14 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err14);
errors++;
}
validate30.errors = vErrors;
return errors === 0;
}
function validate31(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
for(const key1 in data0){
const err4 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err4);
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key2 in data1){
if(!(((key2 === "limit") || (key2 === "page_token")) || (key2 === "type_id"))){
const err6 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err6);
errors++;
}
}
if(data1.limit !== undefined){
let data2 = data1.limit;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err7 = {instancePath:instancePath+"/query/limit",keyword:"type",params:{type: "integer"}};
vErrors = added(vErrors, err7);
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 2147483647 || isNaN(data2)){
const err8 = {instancePath:instancePath+"/query/limit",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}};
vErrors = added(vErrors, err8);
errors++;
}
if(data2 < 1 || isNaN(data2)){
const err9 = {instancePath:instancePath+"/query/limit",keyword:"minimum",params:{comparison: ">=", limit: 1}};
vErrors = added(vErrors, err9);
errors++;
}
if(!(formats0.validate(data2))){
const err10 = {instancePath:instancePath+"/query/limit",keyword:"format",params:{format: "int32"}};
vErrors = added(vErrors, err10);
errors++;
}
}
}
if(data1.page_token !== undefined){
if(typeof data1.page_token !== "string"){
const err11 = {instancePath:instancePath+"/query/page_token",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err11);
errors++;
}
}
if(data1.type_id !== undefined){
let data4 = data1.type_id;
if(typeof data4 === "string"){
if(func3(data4) < 1){
const err12 = {instancePath:instancePath+"/query/type_id",keyword:"minLength",params:{limit: 1}};
vErrors = added(vErrors, err12);
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/query/type_id",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err13);
errors++;
}
}
}
else {
const err14 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err14);
errors++;
}
}
if(data.header !== undefined){
let data5 = data.header;
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
}
else {
const err15 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err15);
errors++;
}
}
}
else {
const err16 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err16);
errors++;
}
validate31.errors = vErrors;
return errors === 0;
}
function validate32(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.template_id === undefined){
const err4 = {instancePath:instancePath+"/path",keyword:"required",params:{missingProperty: "template_id"}};
vErrors = added(vErrors, err4);
errors++;
}
for(const key1 in data0){
if(!(key1 === "template_id")){
const err5 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data0.template_id !== undefined){
if(typeof data0.template_id !== "string"){
const err6 = {instancePath:instancePath+"/path/template_id",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err6);
errors++;
}
}
}
else {
const err7 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err7);
errors++;
}
}
if(data.query !== undefined){
let data2 = data.query;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key2 in data2){
if(!(key2 === "version")){
const err8 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err8);
errors++;
}
}
if(data2.version !== undefined){
let data3 = data2.version;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err9 = {instancePath:instancePath+"/query/version",keyword:"type",params:{type: "integer"}};
vErrors = added(vErrors, err9);
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 2147483647 || isNaN(data3)){
const err10 = {instancePath:instancePath+"/query/version",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}};
vErrors = added(vErrors, err10);
errors++;
}
if(data3 < 1 || isNaN(data3)){
const err11 = {instancePath:instancePath+"/query/version",keyword:"minimum",params:{comparison: ">=", limit: 1}};
vErrors = added(vErrors, err11);
errors++;
}
if(!(formats0.validate(data3))){
const err12 = {instancePath:instancePath+"/query/version",keyword:"format",params:{format: "int32"}};
vErrors = added(vErrors, err12);
errors++;
}
}
}
}
else {
const err13 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err13);
errors++;
}
}
if(data.header !== undefined){
let data4 = data.header;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
}
else {
const err14 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err14);
errors++;
}
}
}
else {
const err15 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err15);
errors++;
}
validate32.errors = vErrors;
return errors === 0;
}
function validate33(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
for(const key1 in data0){
const err4 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err4);
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key2 in data1){
if(!(((((key2 === "limit") || (key2 === "page_token")) || (key2 === "type_id")) || (key2 === "created_after")) || (key2 === "search"))){
const err6 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err6);
errors++;
}
}
if(data1.limit !== undefined){
let data2 = data1.limit;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err7 = {instancePath:instancePath+"/query/limit",keyword:"type",params:{type: "integer"}};
vErrors = added(vErrors, err7);
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 2147483647 || isNaN(data2)){
const err8 = {instancePath:instancePath+"/query/limit",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}};
vErrors = added(vErrors, err8);
errors++;
}
if(data2 < 1 || isNaN(data2)){
const err9 = {instancePath:instancePath+"/query/limit",keyword:"minimum",params:{comparison: ">=", limit: 1}};
vErrors = added(vErrors, err9);
errors++;
}
if(!(formats0.validate(data2))){
const err10 = {instancePath:instancePath+"/query/limit",keyword:"format",params:{format: "int32"}};
vErrors = added(vErrors, err10);
errors++;
}
}
}
if(data1.page_token !== undefined){
if(typeof data1.page_token !== "string"){
const err11 = {instancePath:instancePath+"/query/page_token",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err11);
errors++;
}
}
if(data1.type_id !== undefined){
let data4 = data1.type_id;
if(Array.isArray(data4)){
if(data4.length > 100){
const err12 = {instancePath:instancePath+"/query/type_id",keyword:"maxItems",params:{limit: 100}};
vErrors = added(vErrors, err12);
errors++;
}
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
let data5 = data4[i0];
if(typeof data5 === "string"){
if(func3(data5) < 1){
const err13 = {instancePath:instancePath+"/query/type_id/" + i0,keyword:"minLength",params:{limit: 1}};
vErrors = added(vErrors, err13);
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/query/type_id/" + i0,keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err14);
errors++;
}
}
}
else {
const err15 = {instancePath:instancePath+"/query/type_id",keyword:"type",params:{type: "array"}};
vErrors = added(vErrors, err15);
errors++;
}
}
if(data1.created_after !== undefined){
let data6 = data1.created_after;
if(typeof data6 === "string"){
if(!(formats2(data6))){
const err16 = {instancePath:instancePath+"/query/created_after",keyword:"format",params:{format: "date-time"}};
vErrors = added(vErrors, err16);
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/query/created_after",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err17);
errors++;
}
}
if(data1.search !== undefined){
let data7 = data1.search;
if(typeof data7 === "string"){
if(func3(data7) > 200){
const err18 = {instancePath:instancePath+"/query/search",keyword:"maxLength",params:{limit: 200}};
vErrors = added(vErrors, err18);
errors++;
}
if(func3(data7) < 3){
const err19 = {instancePath:instancePath+"/query/search",keyword:"minLength",params:{limit: 3}};
vErrors = added(vErrors, err19);
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/query/search",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err20);
errors++;
}
}
}
else {
const err21 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err21);
errors++;
}
}
if(data.header !== undefined){
let data8 = data.header;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
}
else {
const err22 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err22);
errors++;
}
}
}
else {
const err23 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err23);
errors++;
}
validate33.errors = vErrors;
return errors === 0;
}
const pattern4 = new RegExp("^[!-~]+$", "u");
function validate34(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
for(const key1 in data0){
const err4 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err4);
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key2 in data1){
const err6 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err6);
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err7);
errors++;
}
}
if(data.header !== undefined){
let data2 = data.header;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2["idempotency-key"] !== undefined){
let data3 = data2["idempotency-key"];
if(typeof data3 === "string"){
if(func3(data3) > 255){
const err8 = {instancePath:instancePath+"/header/idempotency-key",keyword:"maxLength",params:{limit: 255}};
vErrors = added(vErrors, err8);
errors++;
}
if(func3(data3) < 1){
const err9 = {instancePath:instancePath+"/header/idempotency-key",keyword:"minLength",params:{limit: 1}};
vErrors = added(vErrors, err9);
errors++;
}
if(!pattern4.test(data3)){
const err10 = {instancePath:instancePath+"/header/idempotency-key",keyword:"pattern",params:{pattern: "^[!-~]+$"}};
vErrors = added(vErrors, err10);
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/header/idempotency-key",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err11);
errors++;
}
}
}
else {
const err12 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err12);
errors++;
}
}
}
else {
const err13 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err13);
errors++;
}
validate34.errors = vErrors;
return errors === 0;
}
const schema41 = {"$id":"component:CreateDocumentRequest","type":"object","required":["title","type_id"],"additionalProperties":false,"properties":{"title":{"type":"string","minLength":1,"maxLength":500},"type_id":{"type":"string","format":"uuid"},"date":{"$ref":"component:DateOrEmptyOrNull"},"number":{"type":["string","null"],"maxLength":100},"organization_id":{"$ref":"component:UuidOrEmptyOrNull"},"subject_employee_ids":{"type":["array","null"],"maxItems":1000,"uniqueItems":true,"items":{"type":"string","format":"uuid"}},"template_id":{"$ref":"component:UuidOrEmptyOrNull"},"template_version":{"type":["integer","null"],"format":"int32","minimum":1,"maximum":2147483647},"template_values":{"type":["object","null"],"additionalProperties":true},"file_id":{"$ref":"component:UuidOrEmptyOrNull"}}};
const func11 = Object.prototype.hasOwnProperty;
const func0 = isUnique;
const formats20 = formats.date;
function validate36(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
const _errs0 = errors;
let valid0 = false;
const _errs1 = errors;
if(typeof data === "string"){
if(!(formats20(data))){
const err0 = {instancePath,keyword:"format",params:{format: "date"}};
vErrors = added(vErrors, err0);
errors++;
}
}
else {
const err1 = {instancePath,keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err1);
errors++;
}
var _valid0 = _errs1 === errors;
valid0 = valid0 || _valid0;
const _errs3 = errors;
if(typeof data !== "string"){
const err2 = {instancePath,keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err2);
errors++;
}
if("" !== data){
const err3 = {instancePath,keyword:"const",params:{allowedValue: ""}};
vErrors = added(vErrors, err3);
errors++;
}
var _valid0 = _errs3 === errors;
valid0 = valid0 || _valid0;
const _errs5 = errors;
if(data !== null){
const err4 = {instancePath,keyword:"type",params:{type: "null"}};
vErrors = added(vErrors, err4);
errors++;
}
var _valid0 = _errs5 === errors;
valid0 = valid0 || _valid0;
if(!valid0){
const err5 = {instancePath,keyword:"anyOf",params:{}};
vErrors = added(vErrors, err5);
errors++;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate36.errors = vErrors;
return errors === 0;
}
function validate38(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
const _errs0 = errors;
let valid0 = false;
const _errs1 = errors;
if(typeof data === "string"){
if(!(formats4.test(data))){
const err0 = {instancePath,keyword:"format",params:{format: "uuid"}};
vErrors = added(vErrors, err0);
errors++;
}
}
else {
const err1 = {instancePath,keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err1);
errors++;
}
var _valid0 = _errs1 === errors;
valid0 = valid0 || _valid0;
const _errs3 = errors;
if(typeof data !== "string"){
const err2 = {instancePath,keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err2);
errors++;
}
if("" !== data){
const err3 = {instancePath,keyword:"const",params:{allowedValue: ""}};
vErrors = added(vErrors, err3);
errors++;
}
var _valid0 = _errs3 === errors;
valid0 = valid0 || _valid0;
const _errs5 = errors;
if(data !== null){
const err4 = {instancePath,keyword:"type",params:{type: "null"}};
vErrors = added(vErrors, err4);
errors++;
}
var _valid0 = _errs5 === errors;
valid0 = valid0 || _valid0;
if(!valid0){
const err5 = {instancePath,keyword:"anyOf",params:{}};
vErrors = added(vErrors, err5);
errors++;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate38.errors = vErrors;
return errors === 0;
}
function validate35(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.title === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "title"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.type_id === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "type_id"}};
vErrors = added(vErrors, err1);
errors++;
}
for(const key0 in data){
if(!(func11.call(schema41.properties, key0))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err2);
errors++;
}
}
if(data.title !== undefined){
let data0 = data.title;
if(typeof data0 === "string"){
if(func3(data0) > 500){
const err3 = {instancePath:instancePath+"/title",keyword:"maxLength",params:{limit: 500}};
vErrors = added(vErrors, err3);
errors++;
}
if(func3(data0) < 1){
const err4 = {instancePath:instancePath+"/title",keyword:"minLength",params:{limit: 1}};
vErrors = added(vErrors, err4);
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/title",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data.type_id !== undefined){
let data1 = data.type_id;
if(typeof data1 === "string"){
if(!(formats4.test(data1))){
const err6 = {instancePath:instancePath+"/type_id",keyword:"format",params:{format: "uuid"}};
vErrors = added(vErrors, err6);
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/type_id",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err7);
errors++;
}
}
if(data.date !== undefined){
if(!(validate36(data.date, {instancePath:instancePath+"/date",parentData:data,parentDataProperty:"date",rootData}))){
vErrors = vErrors === null ? validate36.errors : joined(vErrors, validate36.errors);
errors = vErrors.length;
}
}
if(data.number !== undefined){
let data3 = data.number;
if((typeof data3 !== "string") && (data3 !== null)){
const err8 = {instancePath:instancePath+"/number",keyword:"type",params:{type: schema41.properties.number.type}};
vErrors = added(vErrors, err8);
errors++;
}
if(typeof data3 === "string"){
if(func3(data3) > 100){
const err9 = {instancePath:instancePath+"/number",keyword:"maxLength",params:{limit: 100}};
vErrors = added(vErrors, err9);
errors++;
}
}
}
if(data.organization_id !== undefined){
if(!(validate38(data.organization_id, {instancePath:instancePath+"/organization_id",parentData:data,parentDataProperty:"organization_id",rootData}))){
vErrors = vErrors === null ? validate38.errors : joined(vErrors, validate38.errors);
errors = vErrors.length;
}
}
if(data.subject_employee_ids !== undefined){
let data5 = data.subject_employee_ids;
if((!(Array.isArray(data5))) && (data5 !== null)){
const err10 = {instancePath:instancePath+"/subject_employee_ids",keyword:"type",params:{type: schema41.properties.subject_employee_ids.type}};
vErrors = added(vErrors, err10);
errors++;
}
if(Array.isArray(data5)){
if(data5.length > 1000){
const err11 = {instancePath:instancePath+"/subject_employee_ids",keyword:"maxItems",params:{limit: 1000}};
vErrors = added(vErrors, err11);
errors++;
}
const len0 = data5.length;
for(let i0=0; i0<len0; i0++){
let data6 = data5[i0];
if(typeof data6 === "string"){
if(!(formats4.test(data6))){
const err12 = {instancePath:instancePath+"/subject_employee_ids/" + i0,keyword:"format",params:{format: "uuid"}};
vErrors = added(vErrors, err12);
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/subject_employee_ids/" + i0,keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err13);
errors++;
}
}
if(!func0(data5)){
const err14 = {instancePath:instancePath+"/subject_employee_ids",keyword:"uniqueItems",params:{}};
vErrors = added(vErrors, err14);
errors++;
}
}
}
if(data.template_id !== undefined){
if(!(validate38(data.template_id, {instancePath:instancePath+"/template_id",parentData:data,parentDataProperty:"template_id",rootData}))){
vErrors = vErrors === null ? validate38.errors : joined(vErrors, validate38.errors);
errors = vErrors.length;
}
}
if(data.template_version !== undefined){
let data8 = data.template_version;
if((!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))) && (data8 !== null)){
const err15 = {instancePath:instancePath+"/template_version",keyword:"type",params:{type: schema41.properties.template_version.type}};
vErrors = added(vErrors, err15);
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 2147483647 || isNaN(data8)){
const err16 = {instancePath:instancePath+"/template_version",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}};
vErrors = added(vErrors, err16);
errors++;
}
if(data8 < 1 || isNaN(data8)){
const err17 = {instancePath:instancePath+"/template_version",keyword:"minimum",params:{comparison: ">=", limit: 1}};
vErrors = added(vErrors, err17);
errors++;
}
if(!(formats0.validate(data8))){
const err18 = {instancePath:instancePath+"/template_version",keyword:"format",params:{format: "int32"}};
vErrors = added(vErrors, err18);
errors++;
}
}
}
if(data.template_values !== undefined){
let data9 = data.template_values;
if((!(data9 && typeof data9 == "object" && !Array.isArray(data9))) && (data9 !== null)){
const err19 = {instancePath:instancePath+"/template_values",keyword:"type",params:{type: schema41.properties.template_values.type}};
vErrors = added(vErrors, err19);
errors++;
}
}
if(data.file_id !== undefined){
if(!(validate38(data.file_id, {instancePath:instancePath+"/file_id",parentData:data,parentDataProperty:"file_id",rootData}))){
vErrors = vErrors === null ? validate38.errors : joined(vErrors, validate38.errors);
errors = vErrors.length;
}
}
}
else {
const err20 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err20);
errors++;
}
validate35.errors = vErrors;
return errors === 0;
}
function validate42(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.document_id === undefined){
const err4 = {instancePath:instancePath+"/path",keyword:"required",params:{missingProperty: "document_id"}};
vErrors = added(vErrors, err4);
errors++;
}
for(const key1 in data0){
if(!(key1 === "document_id")){
const err5 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data0.document_id !== undefined){
let data1 = data0.document_id;
if(typeof data1 === "string"){
if(!(formats4.test(data1))){
const err6 = {instancePath:instancePath+"/path/document_id",keyword:"format",params:{format: "uuid"}};
vErrors = added(vErrors, err6);
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/path/document_id",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err7);
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err8);
errors++;
}
}
if(data.query !== undefined){
let data2 = data.query;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key2 in data2){
const err9 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err9);
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err10);
errors++;
}
}
if(data.header !== undefined){
let data3 = data.header;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
}
else {
const err11 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err11);
errors++;
}
}
}
else {
const err12 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err12);
errors++;
}
validate42.errors = vErrors;
return errors === 0;
}
function validate43(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.document_id === undefined){
const err4 = {instancePath:instancePath+"/path",keyword:"required",params:{missingProperty: "document_id"}};
vErrors = added(vErrors, err4);
errors++;
}
for(const key1 in data0){
if(!(key1 === "document_id")){
const err5 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data0.document_id !== undefined){
let data1 = data0.document_id;
if(typeof data1 === "string"){
if(!(formats4.test(data1))){
const err6 = {instancePath:instancePath+"/path/document_id",keyword:"format",params:{format: "uuid"}};
vErrors = added(vErrors, err6);
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/path/document_id",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err7);
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err8);
errors++;
}
}
if(data.query !== undefined){
let data2 = data.query;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key2 in data2){
const err9 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err9);
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err10);
errors++;
}
}
if(data.header !== undefined){
let data3 = data.header;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
}
else {
const err11 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err11);
errors++;
}
}
}
else {
const err12 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err12);
errors++;
}
validate43.errors = vErrors;
return errors === 0;
}
const schema47 = {"$id":"component:RouteStepInput","type":"object","required":["step_type","participants"],"additionalProperties":false,"properties":{"step_type":{"type":"string","enum":["STEP_TYPE_APPROVAL","STEP_TYPE_SIGNING"]},"rule":{"type":["string","null"],"enum":["STEP_RULE_ALL","STEP_RULE_ANY","",null]},"participants":{"type":"array","minItems":1,"maxItems":50,"items":{"$ref":"component:RouteParticipantInput"}}}};
const schema48 = {"$id":"component:RouteParticipantInput","type":"object","required":["employee_id"],"additionalProperties":false,"properties":{"employee_id":{"type":"string","format":"uuid"},"key_type":{"type":["string","null"],"enum":["SIMPLE","EDS","",null]}}};
function validate46(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.employee_id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "employee_id"}};
vErrors = added(vErrors, err0);
errors++;
}
for(const key0 in data){
if(!((key0 === "employee_id") || (key0 === "key_type"))){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err1);
errors++;
}
}
if(data.employee_id !== undefined){
let data0 = data.employee_id;
if(typeof data0 === "string"){
if(!(formats4.test(data0))){
const err2 = {instancePath:instancePath+"/employee_id",keyword:"format",params:{format: "uuid"}};
vErrors = added(vErrors, err2);
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/employee_id",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.key_type !== undefined){
let data1 = data.key_type;
if((typeof data1 !== "string") && (data1 !== null)){
const err4 = {instancePath:instancePath+"/key_type",keyword:"type",params:{type: schema48.properties.key_type.type}};
vErrors = added(vErrors, err4);
errors++;
}
if(!((((data1 === "SIMPLE") || (data1 === "EDS")) || (data1 === "")) || (data1 === null))){
const err5 = {instancePath:instancePath+"/key_type",keyword:"enum",params:{allowedValues: schema48.properties.key_type.enum}};
vErrors = added(vErrors, err5);
errors++;
}
}
}
else {
const err6 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err6);
errors++;
}
validate46.errors = vErrors;
return errors === 0;
}
function validate45(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.step_type === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "step_type"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.participants === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "participants"}};
vErrors = added(vErrors, err1);
errors++;
}
for(const key0 in data){
if(!(((key0 === "step_type") || (key0 === "rule")) || (key0 === "participants"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err2);
errors++;
}
}
if(data.step_type !== undefined){
let data0 = data.step_type;
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/step_type",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err3);
errors++;
}
if(!((data0 === "STEP_TYPE_APPROVAL") || (data0 === "STEP_TYPE_SIGNING"))){
const err4 = {instancePath:instancePath+"/step_type",keyword:"enum",params:{allowedValues: schema47.properties.step_type.enum}};
vErrors = added(vErrors, err4);
errors++;
}
}
if(data.rule !== undefined){
let data1 = data.rule;
if((typeof data1 !== "string") && (data1 !== null)){
const err5 = {instancePath:instancePath+"/rule",keyword:"type",params:{type: schema47.properties.rule.type}};
vErrors = added(vErrors, err5);
errors++;
}
if(!((((data1 === "STEP_RULE_ALL") || (data1 === "STEP_RULE_ANY")) || (data1 === "")) || (data1 === null))){
const err6 = {instancePath:instancePath+"/rule",keyword:"enum",params:{allowedValues: schema47.properties.rule.enum}};
vErrors = added(vErrors, err6);
errors++;
}
}
if(data.participants !== undefined){
let data2 = data.participants;
if(Array.isArray(data2)){
if(data2.length > 50){
const err7 = {instancePath:instancePath+"/participants",keyword:"maxItems",params:{limit: 50}};
vErrors = added(vErrors, err7);
errors++;
}
if(data2.length < 1){
const err8 = {instancePath:instancePath+"/participants",keyword:"minItems",params:{limit: 1}};
vErrors = added(vErrors, err8);
errors++;
}
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
if(!(validate46(data2[i0], {instancePath:instancePath+"/participants/" + i0,parentData:data2,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate46.errors : joined(vErrors, validate46.errors);
errors = vErrors.length;
}
}
}
else {
const err9 = {instancePath:instancePath+"/participants",keyword:"type",params:{type: "array"}};
vErrors = added(vErrors, err9);
errors++;
}
}
}
else {
const err10 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err10);
errors++;
}
validate45.errors = vErrors;
return errors === 0;
}
function validate44(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.steps === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "steps"}};
vErrors = added(vErrors, err0);
errors++;
}
for(const key0 in data){
if(!(key0 === "steps")){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err1);
errors++;
}
}
if(data.steps !== undefined){
let data0 = data.steps;
if(Array.isArray(data0)){
if(data0.length > 20){
const err2 = {instancePath:instancePath+"/steps",keyword:"maxItems",params:{limit: 20}};
vErrors = added(vErrors, err2);
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/steps",keyword:"minItems",params:{limit: 1}};
vErrors = added(vErrors, err3);
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
if(!(validate45(data0[i0], {instancePath:instancePath+"/steps/" + i0,parentData:data0,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate45.errors : joined(vErrors, validate45.errors);
errors = vErrors.length;
}
}
}
else {
const err4 = {instancePath:instancePath+"/steps",keyword:"type",params:{type: "array"}};
vErrors = added(vErrors, err4);
errors++;
}
}
}
else {
const err5 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err5);
errors++;
}
validate44.errors = vErrors;
return errors === 0;
}
function validate49(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.document_id === undefined){
const err4 = {instancePath:instancePath+"/path",keyword:"required",params:{missingProperty: "document_id"}};
vErrors = added(vErrors, err4);
errors++;
}
for(const key1 in data0){
if(!(key1 === "document_id")){
const err5 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data0.document_id !== undefined){
let data1 = data0.document_id;
if(typeof data1 === "string"){
if(!(formats4.test(data1))){
const err6 = {instancePath:instancePath+"/path/document_id",keyword:"format",params:{format: "uuid"}};
vErrors = added(vErrors, err6);
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/path/document_id",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err7);
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err8);
errors++;
}
}
if(data.query !== undefined){
let data2 = data.query;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key2 in data2){
const err9 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err9);
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err10);
errors++;
}
}
if(data.header !== undefined){
let data3 = data.header;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
}
else {
const err11 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err11);
errors++;
}
}
}
else {
const err12 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err12);
errors++;
}
validate49.errors = vErrors;
return errors === 0;
}
function validate50(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
const err0 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err0);
errors++;
}
}
else {
const err1 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err1);
errors++;
}
validate50.errors = vErrors;
return errors === 0;
}
function validate51(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.document_id === undefined){
const err4 = {instancePath:instancePath+"/path",keyword:"required",params:{missingProperty: "document_id"}};
vErrors = added(vErrors, err4);
errors++;
}
for(const key1 in data0){
if(!(key1 === "document_id")){
const err5 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data0.document_id !== undefined){
let data1 = data0.document_id;
if(typeof data1 === "string"){
if(!(formats4.test(data1))){
const err6 = {instancePath:instancePath+"/path/document_id",keyword:"format",params:{format: "uuid"}};
vErrors = added(vErrors, err6);
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/path/document_id",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err7);
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err8);
errors++;
}
}
if(data.query !== undefined){
let data2 = data.query;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key2 in data2){
const err9 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err9);
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err10);
errors++;
}
}
if(data.header !== undefined){
let data3 = data.header;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
}
else {
const err11 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err11);
errors++;
}
}
}
else {
const err12 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err12);
errors++;
}
validate51.errors = vErrors;
return errors === 0;
}
const schema52 = {"$id":"component:ApproveDocumentRequest","type":"object","additionalProperties":false,"properties":{"participant_id":{"$ref":"component:UuidOrEmptyOrNull"},"comment":{"type":["string","null"],"maxLength":2000}}};
function validate52(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((key0 === "participant_id") || (key0 === "comment"))){
const err0 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err0);
errors++;
}
}
if(data.participant_id !== undefined){
if(!(validate38(data.participant_id, {instancePath:instancePath+"/participant_id",parentData:data,parentDataProperty:"participant_id",rootData}))){
vErrors = vErrors === null ? validate38.errors : joined(vErrors, validate38.errors);
errors = vErrors.length;
}
}
if(data.comment !== undefined){
let data1 = data.comment;
if((typeof data1 !== "string") && (data1 !== null)){
const err1 = {instancePath:instancePath+"/comment",keyword:"type",params:{type: schema52.properties.comment.type}};
vErrors = added(vErrors, err1);
errors++;
}
if(typeof data1 === "string"){
if(func3(data1) > 2000){
const err2 = {instancePath:instancePath+"/comment",keyword:"maxLength",params:{limit: 2000}};
vErrors = added(vErrors, err2);
errors++;
}
}
}
}
else {
const err3 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err3);
errors++;
}
validate52.errors = vErrors;
return errors === 0;
}
function validate54(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.document_id === undefined){
const err4 = {instancePath:instancePath+"/path",keyword:"required",params:{missingProperty: "document_id"}};
vErrors = added(vErrors, err4);
errors++;
}
for(const key1 in data0){
if(!(key1 === "document_id")){
const err5 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data0.document_id !== undefined){
let data1 = data0.document_id;
if(typeof data1 === "string"){
if(!(formats4.test(data1))){
const err6 = {instancePath:instancePath+"/path/document_id",keyword:"format",params:{format: "uuid"}};
vErrors = added(vErrors, err6);
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/path/document_id",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err7);
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err8);
errors++;
}
}
if(data.query !== undefined){
let data2 = data.query;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key2 in data2){
const err9 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err9);
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err10);
errors++;
}
}
if(data.header !== undefined){
let data3 = data.header;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
}
else {
const err11 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err11);
errors++;
}
}
}
else {
const err12 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err12);
errors++;
}
validate54.errors = vErrors;
return errors === 0;
}
const schema55 = {"$id":"component:Signature","type":["object","null"],"required":["format","value"],"additionalProperties":false,"properties":{"format":{"type":"string","enum":["CMS"]},"value":{"type":"string","minLength":1,"maxLength":98304}}};
function validate57(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if((!(data && typeof data == "object" && !Array.isArray(data))) && (data !== null)){
const err0 = {instancePath,keyword:"type",params:{type: schema55.type}};
vErrors = added(vErrors, err0);
errors++;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.format === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "format"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.value === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "value"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!((key0 === "format") || (key0 === "value"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.format !== undefined){
let data0 = data.format;
if(typeof data0 !== "string"){
const err4 = {instancePath:instancePath+"/format",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err4);
errors++;
}
if(!(data0 === "CMS")){
const err5 = {instancePath:instancePath+"/format",keyword:"enum",params:{allowedValues: schema55.properties.format.enum}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data.value !== undefined){
let data1 = data.value;
if(typeof data1 === "string"){
if(func3(data1) > 98304){
const err6 = {instancePath:instancePath+"/value",keyword:"maxLength",params:{limit: 98304}};
vErrors = added(vErrors, err6);
errors++;
}
if(func3(data1) < 1){
const err7 = {instancePath:instancePath+"/value",keyword:"minLength",params:{limit: 1}};
vErrors = added(vErrors, err7);
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/value",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err8);
errors++;
}
}
}
validate57.errors = vErrors;
return errors === 0;
}
function validate55(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((key0 === "participant_id") || (key0 === "signature"))){
const err0 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err0);
errors++;
}
}
if(data.participant_id !== undefined){
if(!(validate38(data.participant_id, {instancePath:instancePath+"/participant_id",parentData:data,parentDataProperty:"participant_id",rootData}))){
vErrors = vErrors === null ? validate38.errors : joined(vErrors, validate38.errors);
errors = vErrors.length;
}
}
if(data.signature !== undefined){
if(!(validate57(data.signature, {instancePath:instancePath+"/signature",parentData:data,parentDataProperty:"signature",rootData}))){
vErrors = vErrors === null ? validate57.errors : joined(vErrors, validate57.errors);
errors = vErrors.length;
}
}
}
else {
const err1 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err1);
errors++;
}
validate55.errors = vErrors;
return errors === 0;
}
function validate59(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.document_id === undefined){
const err4 = {instancePath:instancePath+"/path",keyword:"required",params:{missingProperty: "document_id"}};
vErrors = added(vErrors, err4);
errors++;
}
for(const key1 in data0){
if(!(key1 === "document_id")){
const err5 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data0.document_id !== undefined){
let data1 = data0.document_id;
if(typeof data1 === "string"){
if(!(formats4.test(data1))){
const err6 = {instancePath:instancePath+"/path/document_id",keyword:"format",params:{format: "uuid"}};
vErrors = added(vErrors, err6);
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/path/document_id",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err7);
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err8);
errors++;
}
}
if(data.query !== undefined){
let data2 = data.query;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key2 in data2){
const err9 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err9);
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err10);
errors++;
}
}
if(data.header !== undefined){
let data3 = data.header;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
}
else {
const err11 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err11);
errors++;
}
}
}
else {
const err12 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err12);
errors++;
}
validate59.errors = vErrors;
return errors === 0;
}
const pattern5 = new RegExp("\\S", "u");
function validate60(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.comment === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "comment"}};
vErrors = added(vErrors, err0);
errors++;
}
for(const key0 in data){
if(!(((key0 === "comment") || (key0 === "document_id")) || (key0 === "participant_id"))){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err1);
errors++;
}
}
if(data.comment !== undefined){
let data0 = data.comment;
if(typeof data0 === "string"){
if(func3(data0) > 2000){
const err2 = {instancePath:instancePath+"/comment",keyword:"maxLength",params:{limit: 2000}};
vErrors = added(vErrors, err2);
errors++;
}
if(func3(data0) < 1){
const err3 = {instancePath:instancePath+"/comment",keyword:"minLength",params:{limit: 1}};
vErrors = added(vErrors, err3);
errors++;
}
if(!pattern5.test(data0)){
const err4 = {instancePath:instancePath+"/comment",keyword:"pattern",params:{pattern: "\\S"}};
vErrors = added(vErrors, err4);
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/comment",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data.document_id !== undefined){
if(!(validate38(data.document_id, {instancePath:instancePath+"/document_id",parentData:data,parentDataProperty:"document_id",rootData}))){
vErrors = vErrors === null ? validate38.errors : joined(vErrors, validate38.errors);
errors = vErrors.length;
}
}
if(data.participant_id !== undefined){
if(!(validate38(data.participant_id, {instancePath:instancePath+"/participant_id",parentData:data,parentDataProperty:"participant_id",rootData}))){
vErrors = vErrors === null ? validate38.errors : joined(vErrors, validate38.errors);
errors = vErrors.length;
}
}
}
else {
const err6 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err6);
errors++;
}
validate60.errors = vErrors;
return errors === 0;
}
function validate63(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.document_id === undefined){
const err4 = {instancePath:instancePath+"/path",keyword:"required",params:{missingProperty: "document_id"}};
vErrors = added(vErrors, err4);
errors++;
}
for(const key1 in data0){
if(!(key1 === "document_id")){
const err5 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data0.document_id !== undefined){
let data1 = data0.document_id;
if(typeof data1 === "string"){
if(!(formats4.test(data1))){
const err6 = {instancePath:instancePath+"/path/document_id",keyword:"format",params:{format: "uuid"}};
vErrors = added(vErrors, err6);
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/path/document_id",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err7);
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err8);
errors++;
}
}
if(data.query !== undefined){
let data2 = data.query;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key2 in data2){
if(!(key2 === "file_id")){
const err9 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err9);
errors++;
}
}
if(data2.file_id !== undefined){
let data3 = data2.file_id;
if(typeof data3 === "string"){
if(func3(data3) < 1){
const err10 = {instancePath:instancePath+"/query/file_id",keyword:"minLength",params:{limit: 1}};
vErrors = added(vErrors, err10);
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/query/file_id",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err11);
errors++;
}
}
}
else {
const err12 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err12);
errors++;
}
}
if(data.header !== undefined){
let data4 = data.header;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
}
else {
const err13 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err13);
errors++;
}
}
}
else {
const err14 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err14);
errors++;
}
validate63.errors = vErrors;
return errors === 0;
}
function validate64(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
for(const key1 in data0){
const err4 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err4);
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key2 in data1){
const err6 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err6);
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err7);
errors++;
}
}
if(data.header !== undefined){
let data2 = data.header;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
}
else {
const err8 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err8);
errors++;
}
}
}
else {
const err9 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err9);
errors++;
}
validate64.errors = vErrors;
return errors === 0;
}
const schema60 = {"$id":"component:ReserveFileRequest","type":"object","required":["filename","content_type","size_bytes"],"additionalProperties":false,"properties":{"filename":{"type":"string","allOf":[{"minLength":1,"maxLength":255},{"pattern":"^[^/\\\\]*$"},{"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"},{"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029/\\\\]+$"}]},"content_type":{"type":"string","enum":["application/pdf"]},"size_bytes":{"anyOf":[{"type":"integer","format":"int64","minimum":1,"maximum":52428800},{"type":"string","pattern":"^[1-9][0-9]{0,7}$"}]}}};
const pattern6 = new RegExp("^[^/\\\\]*$", "u");
const pattern7 = new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$", "u");
const pattern8 = new RegExp("^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029/\\\\]+$", "u");
const pattern9 = new RegExp("^[1-9][0-9]{0,7}$", "u");
const formats44 = formats.int64;
function validate65(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.filename === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "filename"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.content_type === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "content_type"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.size_bytes === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "size_bytes"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "filename") || (key0 === "content_type")) || (key0 === "size_bytes"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.filename !== undefined){
let data0 = data.filename;
if(typeof data0 !== "string"){
const err4 = {instancePath:instancePath+"/filename",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err4);
errors++;
}
if(typeof data0 === "string"){
if(func3(data0) > 255){
const err5 = {instancePath:instancePath+"/filename",keyword:"maxLength",params:{limit: 255}};
vErrors = added(vErrors, err5);
errors++;
}
if(func3(data0) < 1){
const err6 = {instancePath:instancePath+"/filename",keyword:"minLength",params:{limit: 1}};
vErrors = added(vErrors, err6);
errors++;
}
}
if(typeof data0 === "string"){
if(!pattern6.test(data0)){
const err7 = {instancePath:instancePath+"/filename",keyword:"pattern",params:{pattern: "^[^/\\\\]*$"}};
vErrors = added(vErrors, err7);
errors++;
}
}
if(typeof data0 === "string"){
if(!pattern7.test(data0)){
const err8 = {instancePath:instancePath+"/filename",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"}};
vErrors = added(vErrors, err8);
errors++;
}
}
if(typeof data0 === "string"){
if(!pattern8.test(data0)){
const err9 = {instancePath:instancePath+"/filename",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029/\\\\]+$"}};
vErrors = added(vErrors, err9);
errors++;
}
}
}
if(data.content_type !== undefined){
let data1 = data.content_type;
if(typeof data1 !== "string"){
const err10 = {instancePath:instancePath+"/content_type",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err10);
errors++;
}
if(!(data1 === "application/pdf")){
const err11 = {instancePath:instancePath+"/content_type",keyword:"enum",params:{allowedValues: schema60.properties.content_type.enum}};
vErrors = added(vErrors, err11);
errors++;
}
}
if(data.size_bytes !== undefined){
let data2 = data.size_bytes;
const _errs11 = errors;
let valid2 = false;
const _errs12 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err12 = {instancePath:instancePath+"/size_bytes",keyword:"type",params:{type: "integer"}};
vErrors = added(vErrors, err12);
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 52428800 || isNaN(data2)){
const err13 = {instancePath:instancePath+"/size_bytes",keyword:"maximum",params:{comparison: "<=", limit: 52428800}};
vErrors = added(vErrors, err13);
errors++;
}
if(data2 < 1 || isNaN(data2)){
const err14 = {instancePath:instancePath+"/size_bytes",keyword:"minimum",params:{comparison: ">=", limit: 1}};
vErrors = added(vErrors, err14);
errors++;
}
if(!(formats44.validate(data2))){
const err15 = {instancePath:instancePath+"/size_bytes",keyword:"format",params:{format: "int64"}};
vErrors = added(vErrors, err15);
errors++;
}
}
var _valid0 = _errs12 === errors;
valid2 = valid2 || _valid0;
const _errs14 = errors;
if(typeof data2 === "string"){
if(!pattern9.test(data2)){
const err16 = {instancePath:instancePath+"/size_bytes",keyword:"pattern",params:{pattern: "^[1-9][0-9]{0,7}$"}};
vErrors = added(vErrors, err16);
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/size_bytes",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err17);
errors++;
}
var _valid0 = _errs14 === errors;
valid2 = valid2 || _valid0;
if(!valid2){
const err18 = {instancePath:instancePath+"/size_bytes",keyword:"anyOf",params:{}};
vErrors = added(vErrors, err18);
errors++;
}
else {
errors = _errs11;
if(vErrors !== null){
if(_errs11){
vErrors.length = _errs11;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err19 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err19);
errors++;
}
validate65.errors = vErrors;
return errors === 0;
}
function validate66(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.file_id === undefined){
const err4 = {instancePath:instancePath+"/path",keyword:"required",params:{missingProperty: "file_id"}};
vErrors = added(vErrors, err4);
errors++;
}
for(const key1 in data0){
if(!(key1 === "file_id")){
const err5 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data0.file_id !== undefined){
let data1 = data0.file_id;
if(typeof data1 === "string"){
if(func3(data1) < 1){
const err6 = {instancePath:instancePath+"/path/file_id",keyword:"minLength",params:{limit: 1}};
vErrors = added(vErrors, err6);
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/path/file_id",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err7);
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err8);
errors++;
}
}
if(data.query !== undefined){
let data2 = data.query;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key2 in data2){
const err9 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err9);
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err10);
errors++;
}
}
if(data.header !== undefined){
let data3 = data.header;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
}
else {
const err11 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err11);
errors++;
}
}
}
else {
const err12 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err12);
errors++;
}
validate66.errors = vErrors;
return errors === 0;
}
function validate67(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(key0 === "file_id")){
const err0 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err0);
errors++;
}
}
if(data.file_id !== undefined){
if(!(validate38(data.file_id, {instancePath:instancePath+"/file_id",parentData:data,parentDataProperty:"file_id",rootData}))){
vErrors = vErrors === null ? validate38.errors : joined(vErrors, validate38.errors);
errors = vErrors.length;
}
}
}
else {
const err1 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err1);
errors++;
}
validate67.errors = vErrors;
return errors === 0;
}
function validate69(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.source_type === undefined){
const err4 = {instancePath:instancePath+"/path",keyword:"required",params:{missingProperty: "source_type"}};
vErrors = added(vErrors, err4);
errors++;
}
for(const key1 in data0){
if(!(key1 === "source_type")){
const err5 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data0.source_type !== undefined){
let data1 = data0.source_type;
if(typeof data1 === "string"){
if(func3(data1) < 1){
const err6 = {instancePath:instancePath+"/path/source_type",keyword:"minLength",params:{limit: 1}};
vErrors = added(vErrors, err6);
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/path/source_type",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err7);
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err8);
errors++;
}
}
if(data.query !== undefined){
let data2 = data.query;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key2 in data2){
const err9 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err9);
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err10);
errors++;
}
}
if(data.header !== undefined){
let data3 = data.header;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3["idempotency-key"] === undefined){
const err11 = {instancePath:instancePath+"/header",keyword:"required",params:{missingProperty: "idempotency-key"}};
vErrors = added(vErrors, err11);
errors++;
}
if(data3["idempotency-key"] !== undefined){
let data4 = data3["idempotency-key"];
if(typeof data4 === "string"){
if(func3(data4) > 255){
const err12 = {instancePath:instancePath+"/header/idempotency-key",keyword:"maxLength",params:{limit: 255}};
vErrors = added(vErrors, err12);
errors++;
}
if(func3(data4) < 1){
const err13 = {instancePath:instancePath+"/header/idempotency-key",keyword:"minLength",params:{limit: 1}};
vErrors = added(vErrors, err13);
errors++;
}
if(!pattern4.test(data4)){
const err14 = {instancePath:instancePath+"/header/idempotency-key",keyword:"pattern",params:{pattern: "^[!-~]+$"}};
vErrors = added(vErrors, err14);
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/header/idempotency-key",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err15);
errors++;
}
}
}
else {
const err16 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err16);
errors++;
}
}
}
else {
const err17 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err17);
errors++;
}
validate69.errors = vErrors;
return errors === 0;
}
const schema64 = {"$id":"component:IngestRecordsRequest","type":"object","required":["payload_type","records"],"additionalProperties":false,"properties":{"payload_type":{"type":"string"},"create_missing":{"type":["boolean","null"]},"records":{"type":"array","minItems":1,"maxItems":10000,"items":{}}}};
function validate70(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.payload_type === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "payload_type"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.records === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "records"}};
vErrors = added(vErrors, err1);
errors++;
}
for(const key0 in data){
if(!(((key0 === "payload_type") || (key0 === "create_missing")) || (key0 === "records"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err2);
errors++;
}
}
if(data.payload_type !== undefined){
if(typeof data.payload_type !== "string"){
const err3 = {instancePath:instancePath+"/payload_type",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.create_missing !== undefined){
let data1 = data.create_missing;
if((typeof data1 !== "boolean") && (data1 !== null)){
const err4 = {instancePath:instancePath+"/create_missing",keyword:"type",params:{type: schema64.properties.create_missing.type}};
vErrors = added(vErrors, err4);
errors++;
}
}
if(data.records !== undefined){
let data2 = data.records;
if(Array.isArray(data2)){
if(data2.length > 10000){
const err5 = {instancePath:instancePath+"/records",keyword:"maxItems",params:{limit: 10000}};
vErrors = added(vErrors, err5);
errors++;
}
if(data2.length < 1){
const err6 = {instancePath:instancePath+"/records",keyword:"minItems",params:{limit: 1}};
vErrors = added(vErrors, err6);
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/records",keyword:"type",params:{type: "array"}};
vErrors = added(vErrors, err7);
errors++;
}
}
}
else {
const err8 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err8);
errors++;
}
validate70.errors = vErrors;
return errors === 0;
}
function validate71(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
for(const key1 in data0){
const err4 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err4);
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data.query !== undefined){
let data1 = data.query;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key2 in data1){
const err6 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err6);
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err7);
errors++;
}
}
if(data.header !== undefined){
let data2 = data.header;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
}
else {
const err8 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err8);
errors++;
}
}
}
else {
const err9 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err9);
errors++;
}
validate71.errors = vErrors;
return errors === 0;
}
const schema67 = {"$id":"component:WebhookEventType","type":"string","enum":["employee.changed","employee.deleted","person.changed","document.sent","document.approval_started","document.signing_started","document.completed","document.rejected","document.change_requested","document.revoked","document.deleted"]};
const pattern11 = new RegExp("^[Hh][Tt][Tt][Pp][Ss]://[^#]", "u");
const pattern12 = new RegExp("^\\S*$", "u");
const pattern13 = new RegExp("^[^#]*$", "u");
const pattern14 = new RegExp("^[Hh][Tt][Tt][Pp][Ss]://[^\\s#]+$", "u");
function validate72(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.url === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "url"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.event_types === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "event_types"}};
vErrors = added(vErrors, err1);
errors++;
}
for(const key0 in data){
if(!((key0 === "url") || (key0 === "event_types"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err2);
errors++;
}
}
if(data.url !== undefined){
let data0 = data.url;
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/url",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err3);
errors++;
}
if(typeof data0 === "string"){
if(func3(data0) > 2048){
const err4 = {instancePath:instancePath+"/url",keyword:"maxLength",params:{limit: 2048}};
vErrors = added(vErrors, err4);
errors++;
}
if(func3(data0) < 1){
const err5 = {instancePath:instancePath+"/url",keyword:"minLength",params:{limit: 1}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(typeof data0 === "string"){
if(!pattern11.test(data0)){
const err6 = {instancePath:instancePath+"/url",keyword:"pattern",params:{pattern: "^[Hh][Tt][Tt][Pp][Ss]://[^#]"}};
vErrors = added(vErrors, err6);
errors++;
}
}
if(typeof data0 === "string"){
if(!pattern12.test(data0)){
const err7 = {instancePath:instancePath+"/url",keyword:"pattern",params:{pattern: "^\\S*$"}};
vErrors = added(vErrors, err7);
errors++;
}
}
if(typeof data0 === "string"){
if(!pattern13.test(data0)){
const err8 = {instancePath:instancePath+"/url",keyword:"pattern",params:{pattern: "^[^#]*$"}};
vErrors = added(vErrors, err8);
errors++;
}
}
if(typeof data0 === "string"){
if(!pattern14.test(data0)){
const err9 = {instancePath:instancePath+"/url",keyword:"pattern",params:{pattern: "^[Hh][Tt][Tt][Pp][Ss]://[^\\s#]+$"}};
vErrors = added(vErrors, err9);
errors++;
}
}
}
if(data.event_types !== undefined){
let data1 = data.event_types;
if(Array.isArray(data1)){
if(data1.length > 11){
const err10 = {instancePath:instancePath+"/event_types",keyword:"maxItems",params:{limit: 11}};
vErrors = added(vErrors, err10);
errors++;
}
if(data1.length < 1){
const err11 = {instancePath:instancePath+"/event_types",keyword:"minItems",params:{limit: 1}};
vErrors = added(vErrors, err11);
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(typeof data2 !== "string"){
const err12 = {instancePath:instancePath+"/event_types/" + i0,keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err12);
errors++;
}
if(!(((((((((((data2 === "employee.changed") || (data2 === "employee.deleted")) || (data2 === "person.changed")) || (data2 === "document.sent")) || (data2 === "document.approval_started")) || (data2 === "document.signing_started")) || (data2 === "document.completed")) || (data2 === "document.rejected")) || (data2 === "document.change_requested")) || (data2 === "document.revoked")) || (data2 === "document.deleted"))){
const err13 = {instancePath:instancePath+"/event_types/" + i0,keyword:"enum",params:{allowedValues: schema67.enum}};
vErrors = added(vErrors, err13);
errors++;
}
}
if(!func0(data1)){
const err14 = {instancePath:instancePath+"/event_types",keyword:"uniqueItems",params:{}};
vErrors = added(vErrors, err14);
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/event_types",keyword:"type",params:{type: "array"}};
vErrors = added(vErrors, err15);
errors++;
}
}
}
else {
const err16 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err16);
errors++;
}
validate72.errors = vErrors;
return errors === 0;
}
function validate73(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.id === undefined){
const err4 = {instancePath:instancePath+"/path",keyword:"required",params:{missingProperty: "id"}};
vErrors = added(vErrors, err4);
errors++;
}
for(const key1 in data0){
if(!(key1 === "id")){
const err5 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data0.id !== undefined){
let data1 = data0.id;
if(typeof data1 === "string"){
if(func3(data1) < 1){
const err6 = {instancePath:instancePath+"/path/id",keyword:"minLength",params:{limit: 1}};
vErrors = added(vErrors, err6);
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/path/id",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err7);
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err8);
errors++;
}
}
if(data.query !== undefined){
let data2 = data.query;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key2 in data2){
const err9 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err9);
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err10);
errors++;
}
}
if(data.header !== undefined){
let data3 = data.header;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
}
else {
const err11 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err11);
errors++;
}
}
}
else {
const err12 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err12);
errors++;
}
validate73.errors = vErrors;
return errors === 0;
}
function validate74(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
const err0 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err0);
errors++;
}
}
else {
const err1 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err1);
errors++;
}
validate74.errors = vErrors;
return errors === 0;
}
function validate75(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "path"}};
vErrors = added(vErrors, err0);
errors++;
}
if(data.query === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "query"}};
vErrors = added(vErrors, err1);
errors++;
}
if(data.header === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "header"}};
vErrors = added(vErrors, err2);
errors++;
}
for(const key0 in data){
if(!(((key0 === "path") || (key0 === "query")) || (key0 === "header"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
vErrors = added(vErrors, err3);
errors++;
}
}
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.id === undefined){
const err4 = {instancePath:instancePath+"/path",keyword:"required",params:{missingProperty: "id"}};
vErrors = added(vErrors, err4);
errors++;
}
for(const key1 in data0){
if(!(key1 === "id")){
const err5 = {instancePath:instancePath+"/path",keyword:"additionalProperties",params:{additionalProperty: key1}};
vErrors = added(vErrors, err5);
errors++;
}
}
if(data0.id !== undefined){
let data1 = data0.id;
if(typeof data1 === "string"){
if(func3(data1) < 1){
const err6 = {instancePath:instancePath+"/path/id",keyword:"minLength",params:{limit: 1}};
vErrors = added(vErrors, err6);
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/path/id",keyword:"type",params:{type: "string"}};
vErrors = added(vErrors, err7);
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/path",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err8);
errors++;
}
}
if(data.query !== undefined){
let data2 = data.query;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key2 in data2){
const err9 = {instancePath:instancePath+"/query",keyword:"additionalProperties",params:{additionalProperty: key2}};
vErrors = added(vErrors, err9);
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/query",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err10);
errors++;
}
}
if(data.header !== undefined){
let data3 = data.header;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
}
else {
const err11 = {instancePath:instancePath+"/header",keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err11);
errors++;
}
}
}
else {
const err12 = {instancePath,keyword:"type",params:{type: "object"}};
vErrors = added(vErrors, err12);
errors++;
}
validate75.errors = vErrors;
return errors === 0;
}
return { verifyApiKey_parameters: validate25, listEmployees_parameters: validate26, getEmployee_parameters: validate27, listLoginMethods_parameters: validate28, listDocumentTypes_parameters: validate29, listDocumentCategories_parameters: validate30, listDocumentTemplates_parameters: validate31, getDocumentTemplate_parameters: validate32, listDocuments_parameters: validate33, createDocument_parameters: validate34, createDocument_body: validate35, getDocument_parameters: validate42, setDocumentRoute_parameters: validate43, setDocumentRoute_body: validate44, sendDocument_parameters: validate49, sendDocument_body: validate50, approveDocument_parameters: validate51, approveDocument_body: validate52, signDocument_parameters: validate54, signDocument_body: validate55, rejectDocument_parameters: validate59, rejectDocument_body: validate60, downloadDocument_parameters: validate63, reserveFile_parameters: validate64, reserveFile_body: validate65, confirmFile_parameters: validate66, confirmFile_body: validate67, ingestRecords_parameters: validate69, ingestRecords_body: validate70, createWebhookEndpoint_parameters: validate71, createWebhookEndpoint_body: validate72, testWebhookEndpoint_parameters: validate73, testWebhookEndpoint_body: validate74, deleteWebhookEndpoint_parameters: validate75 };
})();
const answers = (() => {
function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
const err0 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate25.errors = vErrors;
return errors === 0;
}
const schema32 = {"$id":"component:Employee","type":"object","required":["id","status","organization_id","department_id","job_title_id","manager_id","location_id","employee_number","start_date","end_date","create_time","update_time","redacted_fields"],"additionalProperties":false,"properties":{"id":{"type":"string","format":"uuid"},"status":{"$ref":"component:EmployeeStatus"},"organization_id":{"$ref":"component:UuidOrEmpty"},"department_id":{"$ref":"component:UuidOrEmpty"},"job_title_id":{"$ref":"component:UuidOrEmpty"},"manager_id":{"$ref":"component:UuidOrEmpty"},"location_id":{"$ref":"component:UuidOrEmpty"},"employee_number":{"type":"string"},"start_date":{"$ref":"component:DateOrEmpty"},"end_date":{"$ref":"component:DateOrEmpty"},"work_email":{"$ref":"component:EmailOrEmpty"},"create_time":{"type":"string","format":"date-time"},"update_time":{"type":"string","format":"date-time"},"department":{"$ref":"component:DepartmentRef"},"job_title":{"$ref":"component:JobTitleRef"},"manager":{"$ref":"component:ManagerRef"},"person":{"$ref":"component:Person"},"redacted_fields":{"type":"array","uniqueItems":true,"items":{"type":"string","pattern":"^[a-z_]+\\.[a-z_]+$"}}}};
const schema33 = {"$id":"component:EmployeeStatus","type":"string","enum":["EMPLOYEE_STATUS_UNSPECIFIED","EMPLOYEE_STATUS_HIRED","EMPLOYEE_STATUS_ACCEPTED","EMPLOYEE_STATUS_ONBOARDING","EMPLOYEE_STATUS_ACTIVE","EMPLOYEE_STATUS_TERMINATED","EMPLOYEE_STATUS_LEAVE","EMPLOYEE_STATUS_ON_HOLD"]};
const func3 = Object.prototype.hasOwnProperty;
const func0 = isUnique;
const formats0 = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;
const formats8 = formats["date-time"];
function validate28(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(typeof data !== "string"){
const err0 = {instancePath,keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const _errs1 = errors;
let valid0 = false;
const _errs2 = errors;
if(typeof data === "string"){
if(!(formats0.test(data))){
const err1 = {instancePath,keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath,keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid0 = _errs2 === errors;
valid0 = valid0 || _valid0;
const _errs4 = errors;
if(typeof data !== "string"){
const err3 = {instancePath,keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if("" !== data){
const err4 = {instancePath,keyword:"const",params:{allowedValue: ""},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
var _valid0 = _errs4 === errors;
valid0 = valid0 || _valid0;
if(!valid0){
const err5 = {instancePath,keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
validate28.errors = vErrors;
return errors === 0;
}
const formats4 = formats.date;
function validate34(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(typeof data !== "string"){
const err0 = {instancePath,keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const _errs1 = errors;
let valid0 = false;
const _errs2 = errors;
if(typeof data === "string"){
if(!(formats4(data))){
const err1 = {instancePath,keyword:"format",params:{format: "date"},message:"must match format \""+"date"+"\""};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath,keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid0 = _errs2 === errors;
valid0 = valid0 || _valid0;
const _errs4 = errors;
if(typeof data !== "string"){
const err3 = {instancePath,keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if("" !== data){
const err4 = {instancePath,keyword:"const",params:{allowedValue: ""},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
var _valid0 = _errs4 === errors;
valid0 = valid0 || _valid0;
if(!valid0){
const err5 = {instancePath,keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
validate34.errors = vErrors;
return errors === 0;
}
const formats6 = /^[^\s@"(),:;<>[\\\]]{1,64}@(?=.{1,253}$)[^\s@.,:;<>()[\\\]]{1,63}(?:\.[^\s@.,:;<>()[\\\]]{1,63})+$/;
function validate37(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(typeof data !== "string"){
const err0 = {instancePath,keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const _errs1 = errors;
let valid0 = false;
const _errs2 = errors;
if(typeof data === "string"){
if(!(formats6.test(data))){
const err1 = {instancePath,keyword:"format",params:{format: "email"},message:"must match format \""+"email"+"\""};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath,keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid0 = _errs2 === errors;
valid0 = valid0 || _valid0;
const _errs4 = errors;
if(typeof data !== "string"){
const err3 = {instancePath,keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if("" !== data){
const err4 = {instancePath,keyword:"const",params:{allowedValue: ""},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
var _valid0 = _errs4 === errors;
valid0 = valid0 || _valid0;
if(!valid0){
const err5 = {instancePath,keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
validate37.errors = vErrors;
return errors === 0;
}
function validate39(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.title === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "title"},message:"must have required property '"+"title"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "id") || (key0 === "title"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.id !== undefined){
let data0 = data.id;
if(typeof data0 === "string"){
if(!(formats0.test(data0))){
const err3 = {instancePath:instancePath+"/id",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/id",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.title !== undefined){
if(typeof data.title !== "string"){
const err5 = {instancePath:instancePath+"/title",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate39.errors = vErrors;
return errors === 0;
}
function validate41(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.title === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "title"},message:"must have required property '"+"title"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "id") || (key0 === "title"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.id !== undefined){
let data0 = data.id;
if(typeof data0 === "string"){
if(!(formats0.test(data0))){
const err3 = {instancePath:instancePath+"/id",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/id",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.title !== undefined){
if(typeof data.title !== "string"){
const err5 = {instancePath:instancePath+"/title",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate41.errors = vErrors;
return errors === 0;
}
function validate43(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "id") || (key0 === "full_name"))){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.id !== undefined){
let data0 = data.id;
if(typeof data0 === "string"){
if(!(formats0.test(data0))){
const err2 = {instancePath:instancePath+"/id",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/id",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.full_name !== undefined){
if(typeof data.full_name !== "string"){
const err4 = {instancePath:instancePath+"/full_name",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate43.errors = vErrors;
return errors === 0;
}
const pattern4 = new RegExp("^[0-9]{12}$", "u");
function validate47(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(typeof data !== "string"){
const err0 = {instancePath,keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const _errs1 = errors;
let valid0 = false;
const _errs2 = errors;
if(typeof data === "string"){
if(!pattern4.test(data)){
const err1 = {instancePath,keyword:"pattern",params:{pattern: "^[0-9]{12}$"},message:"must match pattern \""+"^[0-9]{12}$"+"\""};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath,keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid0 = _errs2 === errors;
valid0 = valid0 || _valid0;
const _errs4 = errors;
if(typeof data !== "string"){
const err3 = {instancePath,keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if("" !== data){
const err4 = {instancePath,keyword:"const",params:{allowedValue: ""},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
var _valid0 = _errs4 === errors;
valid0 = valid0 || _valid0;
if(!valid0){
const err5 = {instancePath,keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
validate47.errors = vErrors;
return errors === 0;
}
function validate45(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((((((((key0 === "first_name") || (key0 === "last_name")) || (key0 === "middle_name")) || (key0 === "full_name")) || (key0 === "birth_date")) || (key0 === "iin")) || (key0 === "personal_email")) || (key0 === "phone"))){
const err0 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.first_name !== undefined){
if(typeof data.first_name !== "string"){
const err1 = {instancePath:instancePath+"/first_name",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.last_name !== undefined){
if(typeof data.last_name !== "string"){
const err2 = {instancePath:instancePath+"/last_name",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.middle_name !== undefined){
if(typeof data.middle_name !== "string"){
const err3 = {instancePath:instancePath+"/middle_name",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.full_name !== undefined){
if(typeof data.full_name !== "string"){
const err4 = {instancePath:instancePath+"/full_name",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.birth_date !== undefined){
if(!(validate34(data.birth_date, {instancePath:instancePath+"/birth_date",parentData:data,parentDataProperty:"birth_date",rootData}))){
vErrors = vErrors === null ? validate34.errors : vErrors.concat(validate34.errors);
errors = vErrors.length;
}
}
if(data.iin !== undefined){
if(!(validate47(data.iin, {instancePath:instancePath+"/iin",parentData:data,parentDataProperty:"iin",rootData}))){
vErrors = vErrors === null ? validate47.errors : vErrors.concat(validate47.errors);
errors = vErrors.length;
}
}
if(data.personal_email !== undefined){
if(typeof data.personal_email !== "string"){
const err5 = {instancePath:instancePath+"/personal_email",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.phone !== undefined){
if(typeof data.phone !== "string"){
const err6 = {instancePath:instancePath+"/phone",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate45.errors = vErrors;
return errors === 0;
}
const pattern5 = new RegExp("^[a-z_]+\\.[a-z_]+$", "u");
function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.status === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.organization_id === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "organization_id"},message:"must have required property '"+"organization_id"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.department_id === undefined){
const err3 = {instancePath,keyword:"required",params:{missingProperty: "department_id"},message:"must have required property '"+"department_id"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.job_title_id === undefined){
const err4 = {instancePath,keyword:"required",params:{missingProperty: "job_title_id"},message:"must have required property '"+"job_title_id"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.manager_id === undefined){
const err5 = {instancePath,keyword:"required",params:{missingProperty: "manager_id"},message:"must have required property '"+"manager_id"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.location_id === undefined){
const err6 = {instancePath,keyword:"required",params:{missingProperty: "location_id"},message:"must have required property '"+"location_id"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.employee_number === undefined){
const err7 = {instancePath,keyword:"required",params:{missingProperty: "employee_number"},message:"must have required property '"+"employee_number"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data.start_date === undefined){
const err8 = {instancePath,keyword:"required",params:{missingProperty: "start_date"},message:"must have required property '"+"start_date"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data.end_date === undefined){
const err9 = {instancePath,keyword:"required",params:{missingProperty: "end_date"},message:"must have required property '"+"end_date"+"'"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data.create_time === undefined){
const err10 = {instancePath,keyword:"required",params:{missingProperty: "create_time"},message:"must have required property '"+"create_time"+"'"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data.update_time === undefined){
const err11 = {instancePath,keyword:"required",params:{missingProperty: "update_time"},message:"must have required property '"+"update_time"+"'"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data.redacted_fields === undefined){
const err12 = {instancePath,keyword:"required",params:{missingProperty: "redacted_fields"},message:"must have required property '"+"redacted_fields"+"'"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
for(const key0 in data){
if(!(func3.call(schema32.properties, key0))){
const err13 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.id !== undefined){
let data0 = data.id;
if(typeof data0 === "string"){
if(!(formats0.test(data0))){
const err14 = {instancePath:instancePath+"/id",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/id",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.status !== undefined){
let data1 = data.status;
if(typeof data1 !== "string"){
const err16 = {instancePath:instancePath+"/status",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(!((((((((data1 === "EMPLOYEE_STATUS_UNSPECIFIED") || (data1 === "EMPLOYEE_STATUS_HIRED")) || (data1 === "EMPLOYEE_STATUS_ACCEPTED")) || (data1 === "EMPLOYEE_STATUS_ONBOARDING")) || (data1 === "EMPLOYEE_STATUS_ACTIVE")) || (data1 === "EMPLOYEE_STATUS_TERMINATED")) || (data1 === "EMPLOYEE_STATUS_LEAVE")) || (data1 === "EMPLOYEE_STATUS_ON_HOLD"))){
const err17 = {instancePath:instancePath+"/status",keyword:"enum",params:{allowedValues: schema33.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.organization_id !== undefined){
if(!(validate28(data.organization_id, {instancePath:instancePath+"/organization_id",parentData:data,parentDataProperty:"organization_id",rootData}))){
vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
errors = vErrors.length;
}
}
if(data.department_id !== undefined){
if(!(validate28(data.department_id, {instancePath:instancePath+"/department_id",parentData:data,parentDataProperty:"department_id",rootData}))){
vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
errors = vErrors.length;
}
}
if(data.job_title_id !== undefined){
if(!(validate28(data.job_title_id, {instancePath:instancePath+"/job_title_id",parentData:data,parentDataProperty:"job_title_id",rootData}))){
vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
errors = vErrors.length;
}
}
if(data.manager_id !== undefined){
if(!(validate28(data.manager_id, {instancePath:instancePath+"/manager_id",parentData:data,parentDataProperty:"manager_id",rootData}))){
vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
errors = vErrors.length;
}
}
if(data.location_id !== undefined){
if(!(validate28(data.location_id, {instancePath:instancePath+"/location_id",parentData:data,parentDataProperty:"location_id",rootData}))){
vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
errors = vErrors.length;
}
}
if(data.employee_number !== undefined){
if(typeof data.employee_number !== "string"){
const err18 = {instancePath:instancePath+"/employee_number",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.start_date !== undefined){
if(!(validate34(data.start_date, {instancePath:instancePath+"/start_date",parentData:data,parentDataProperty:"start_date",rootData}))){
vErrors = vErrors === null ? validate34.errors : vErrors.concat(validate34.errors);
errors = vErrors.length;
}
}
if(data.end_date !== undefined){
if(!(validate34(data.end_date, {instancePath:instancePath+"/end_date",parentData:data,parentDataProperty:"end_date",rootData}))){
vErrors = vErrors === null ? validate34.errors : vErrors.concat(validate34.errors);
errors = vErrors.length;
}
}
if(data.work_email !== undefined){
if(!(validate37(data.work_email, {instancePath:instancePath+"/work_email",parentData:data,parentDataProperty:"work_email",rootData}))){
vErrors = vErrors === null ? validate37.errors : vErrors.concat(validate37.errors);
errors = vErrors.length;
}
}
if(data.create_time !== undefined){
let data11 = data.create_time;
if(typeof data11 === "string"){
if(!(formats8(data11))){
const err19 = {instancePath:instancePath+"/create_time",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/create_time",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.update_time !== undefined){
let data12 = data.update_time;
if(typeof data12 === "string"){
if(!(formats8(data12))){
const err21 = {instancePath:instancePath+"/update_time",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
else {
const err22 = {instancePath:instancePath+"/update_time",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.department !== undefined){
if(!(validate39(data.department, {instancePath:instancePath+"/department",parentData:data,parentDataProperty:"department",rootData}))){
vErrors = vErrors === null ? validate39.errors : vErrors.concat(validate39.errors);
errors = vErrors.length;
}
}
if(data.job_title !== undefined){
if(!(validate41(data.job_title, {instancePath:instancePath+"/job_title",parentData:data,parentDataProperty:"job_title",rootData}))){
vErrors = vErrors === null ? validate41.errors : vErrors.concat(validate41.errors);
errors = vErrors.length;
}
}
if(data.manager !== undefined){
if(!(validate43(data.manager, {instancePath:instancePath+"/manager",parentData:data,parentDataProperty:"manager",rootData}))){
vErrors = vErrors === null ? validate43.errors : vErrors.concat(validate43.errors);
errors = vErrors.length;
}
}
if(data.person !== undefined){
if(!(validate45(data.person, {instancePath:instancePath+"/person",parentData:data,parentDataProperty:"person",rootData}))){
vErrors = vErrors === null ? validate45.errors : vErrors.concat(validate45.errors);
errors = vErrors.length;
}
}
if(data.redacted_fields !== undefined){
let data17 = data.redacted_fields;
if(Array.isArray(data17)){
const len0 = data17.length;
for(let i0=0; i0<len0; i0++){
let data18 = data17[i0];
if(typeof data18 === "string"){
if(!pattern5.test(data18)){
const err23 = {instancePath:instancePath+"/redacted_fields/" + i0,keyword:"pattern",params:{pattern: "^[a-z_]+\\.[a-z_]+$"},message:"must match pattern \""+"^[a-z_]+\\.[a-z_]+$"+"\""};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/redacted_fields/" + i0,keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(!func0(data17)){
const err25 = {instancePath:instancePath+"/redacted_fields",keyword:"uniqueItems",params:{},message:"must NOT have duplicate items"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/redacted_fields",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
}
else {
const err27 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
validate27.errors = vErrors;
return errors === 0;
}
const pattern6 = new RegExp("^(0|[1-9][0-9]*)$", "u");
function validate26(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.employees === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "employees"},message:"must have required property '"+"employees"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.next_page_token === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "next_page_token"},message:"must have required property '"+"next_page_token"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!(((key0 === "employees") || (key0 === "next_page_token")) || (key0 === "total_count"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.employees !== undefined){
let data0 = data.employees;
if(Array.isArray(data0)){
if(data0.length > 1000){
const err3 = {instancePath:instancePath+"/employees",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
if(!(validate27(data0[i0], {instancePath:instancePath+"/employees/" + i0,parentData:data0,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate27.errors : vErrors.concat(validate27.errors);
errors = vErrors.length;
}
}
}
else {
const err4 = {instancePath:instancePath+"/employees",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.next_page_token !== undefined){
if(typeof data.next_page_token !== "string"){
const err5 = {instancePath:instancePath+"/next_page_token",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.total_count !== undefined){
let data3 = data.total_count;
if(typeof data3 === "string"){
if(!pattern6.test(data3)){
const err6 = {instancePath:instancePath+"/total_count",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/total_count",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate26.errors = vErrors;
return errors === 0;
}
function validate51(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.employee === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "employee"},message:"must have required property '"+"employee"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(key0 === "employee")){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.employee !== undefined){
if(!(validate27(data.employee, {instancePath:instancePath+"/employee",parentData:data,parentDataProperty:"employee",rootData}))){
vErrors = vErrors === null ? validate27.errors : vErrors.concat(validate27.errors);
errors = vErrors.length;
}
}
}
else {
const err2 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate51.errors = vErrors;
return errors === 0;
}
const func5 = ucs2length;
function validate54(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.enabled === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "enabled"},message:"must have required property '"+"enabled"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.slug === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "slug"},message:"must have required property '"+"slug"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.title === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "title"},message:"must have required property '"+"title"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.type === undefined){
const err3 = {instancePath,keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(!((((key0 === "enabled") || (key0 === "slug")) || (key0 === "title")) || (key0 === "type"))){
const err4 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.enabled !== undefined){
if(typeof data.enabled !== "boolean"){
const err5 = {instancePath:instancePath+"/enabled",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.slug !== undefined){
let data1 = data.slug;
if(typeof data1 === "string"){
if(func5(data1) < 1){
const err6 = {instancePath:instancePath+"/slug",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/slug",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.title !== undefined){
if(typeof data.title !== "string"){
const err8 = {instancePath:instancePath+"/title",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.type !== undefined){
if(typeof data.type !== "string"){
const err9 = {instancePath:instancePath+"/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate54.errors = vErrors;
return errors === 0;
}
function validate53(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.items === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "items"},message:"must have required property '"+"items"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(key0 === "items")){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.items !== undefined){
let data0 = data.items;
if(Array.isArray(data0)){
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
if(!(validate54(data0[i0], {instancePath:instancePath+"/items/" + i0,parentData:data0,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
}
else {
const err2 = {instancePath:instancePath+"/items",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate53.errors = vErrors;
return errors === 0;
}
const schema47 = {"$id":"component:DocumentType","type":"object","required":["id","title","category_id","template_id","status","subject_type","allow_api","allow_upload","confidential","create_time","update_time"],"additionalProperties":false,"properties":{"id":{"type":"string","format":"uuid"},"title":{"type":"string"},"category_id":{"$ref":"component:UuidOrEmpty"},"template_id":{"$ref":"component:UuidOrEmpty"},"status":{"$ref":"component:CatalogueStatus"},"subject_type":{"type":"string"},"allow_api":{"type":"boolean"},"allow_upload":{"type":"boolean"},"confidential":{"type":"boolean"},"create_time":{"type":"string","format":"date-time"},"update_time":{"type":"string","format":"date-time"}}};
const schema48 = {"$id":"component:CatalogueStatus","type":"string","enum":["ACTIVE","ARCHIVED"]};
function validate57(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.title === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "title"},message:"must have required property '"+"title"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.category_id === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "category_id"},message:"must have required property '"+"category_id"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.template_id === undefined){
const err3 = {instancePath,keyword:"required",params:{missingProperty: "template_id"},message:"must have required property '"+"template_id"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.status === undefined){
const err4 = {instancePath,keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.subject_type === undefined){
const err5 = {instancePath,keyword:"required",params:{missingProperty: "subject_type"},message:"must have required property '"+"subject_type"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.allow_api === undefined){
const err6 = {instancePath,keyword:"required",params:{missingProperty: "allow_api"},message:"must have required property '"+"allow_api"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.allow_upload === undefined){
const err7 = {instancePath,keyword:"required",params:{missingProperty: "allow_upload"},message:"must have required property '"+"allow_upload"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data.confidential === undefined){
const err8 = {instancePath,keyword:"required",params:{missingProperty: "confidential"},message:"must have required property '"+"confidential"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data.create_time === undefined){
const err9 = {instancePath,keyword:"required",params:{missingProperty: "create_time"},message:"must have required property '"+"create_time"+"'"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data.update_time === undefined){
const err10 = {instancePath,keyword:"required",params:{missingProperty: "update_time"},message:"must have required property '"+"update_time"+"'"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
for(const key0 in data){
if(!(func3.call(schema47.properties, key0))){
const err11 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.id !== undefined){
let data0 = data.id;
if(typeof data0 === "string"){
if(!(formats0.test(data0))){
const err12 = {instancePath:instancePath+"/id",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/id",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.title !== undefined){
if(typeof data.title !== "string"){
const err14 = {instancePath:instancePath+"/title",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.category_id !== undefined){
if(!(validate28(data.category_id, {instancePath:instancePath+"/category_id",parentData:data,parentDataProperty:"category_id",rootData}))){
vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
errors = vErrors.length;
}
}
if(data.template_id !== undefined){
if(!(validate28(data.template_id, {instancePath:instancePath+"/template_id",parentData:data,parentDataProperty:"template_id",rootData}))){
vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
errors = vErrors.length;
}
}
if(data.status !== undefined){
let data4 = data.status;
if(typeof data4 !== "string"){
const err15 = {instancePath:instancePath+"/status",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(!((data4 === "ACTIVE") || (data4 === "ARCHIVED"))){
const err16 = {instancePath:instancePath+"/status",keyword:"enum",params:{allowedValues: schema48.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.subject_type !== undefined){
if(typeof data.subject_type !== "string"){
const err17 = {instancePath:instancePath+"/subject_type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.allow_api !== undefined){
if(typeof data.allow_api !== "boolean"){
const err18 = {instancePath:instancePath+"/allow_api",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.allow_upload !== undefined){
if(typeof data.allow_upload !== "boolean"){
const err19 = {instancePath:instancePath+"/allow_upload",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.confidential !== undefined){
if(typeof data.confidential !== "boolean"){
const err20 = {instancePath:instancePath+"/confidential",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.create_time !== undefined){
let data9 = data.create_time;
if(typeof data9 === "string"){
if(!(formats8(data9))){
const err21 = {instancePath:instancePath+"/create_time",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
else {
const err22 = {instancePath:instancePath+"/create_time",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.update_time !== undefined){
let data10 = data.update_time;
if(typeof data10 === "string"){
if(!(formats8(data10))){
const err23 = {instancePath:instancePath+"/update_time",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/update_time",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
}
else {
const err25 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
validate57.errors = vErrors;
return errors === 0;
}
function validate56(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.document_types === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "document_types"},message:"must have required property '"+"document_types"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.next_page_token === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "next_page_token"},message:"must have required property '"+"next_page_token"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "document_types") || (key0 === "next_page_token"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.document_types !== undefined){
let data0 = data.document_types;
if(Array.isArray(data0)){
if(data0.length > 1000){
const err3 = {instancePath:instancePath+"/document_types",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
if(!(validate57(data0[i0], {instancePath:instancePath+"/document_types/" + i0,parentData:data0,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate57.errors : vErrors.concat(validate57.errors);
errors = vErrors.length;
}
}
}
else {
const err4 = {instancePath:instancePath+"/document_types",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.next_page_token !== undefined){
if(typeof data.next_page_token !== "string"){
const err5 = {instancePath:instancePath+"/next_page_token",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate56.errors = vErrors;
return errors === 0;
}
function validate62(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.title === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "title"},message:"must have required property '"+"title"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.parent_id === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "parent_id"},message:"must have required property '"+"parent_id"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.create_time === undefined){
const err3 = {instancePath,keyword:"required",params:{missingProperty: "create_time"},message:"must have required property '"+"create_time"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.update_time === undefined){
const err4 = {instancePath,keyword:"required",params:{missingProperty: "update_time"},message:"must have required property '"+"update_time"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
for(const key0 in data){
if(!(((((key0 === "id") || (key0 === "title")) || (key0 === "parent_id")) || (key0 === "create_time")) || (key0 === "update_time"))){
const err5 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.id !== undefined){
let data0 = data.id;
if(typeof data0 === "string"){
if(!(formats0.test(data0))){
const err6 = {instancePath:instancePath+"/id",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/id",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.title !== undefined){
if(typeof data.title !== "string"){
const err8 = {instancePath:instancePath+"/title",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.parent_id !== undefined){
if(!(validate28(data.parent_id, {instancePath:instancePath+"/parent_id",parentData:data,parentDataProperty:"parent_id",rootData}))){
vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
errors = vErrors.length;
}
}
if(data.create_time !== undefined){
let data3 = data.create_time;
if(typeof data3 === "string"){
if(!(formats8(data3))){
const err9 = {instancePath:instancePath+"/create_time",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/create_time",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.update_time !== undefined){
let data4 = data.update_time;
if(typeof data4 === "string"){
if(!(formats8(data4))){
const err11 = {instancePath:instancePath+"/update_time",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/update_time",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate62.errors = vErrors;
return errors === 0;
}
function validate61(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.document_categories === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "document_categories"},message:"must have required property '"+"document_categories"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.next_page_token === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "next_page_token"},message:"must have required property '"+"next_page_token"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "document_categories") || (key0 === "next_page_token"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.document_categories !== undefined){
let data0 = data.document_categories;
if(Array.isArray(data0)){
if(data0.length > 1000){
const err3 = {instancePath:instancePath+"/document_categories",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
if(!(validate62(data0[i0], {instancePath:instancePath+"/document_categories/" + i0,parentData:data0,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
}
}
else {
const err4 = {instancePath:instancePath+"/document_categories",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.next_page_token !== undefined){
if(typeof data.next_page_token !== "string"){
const err5 = {instancePath:instancePath+"/next_page_token",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate61.errors = vErrors;
return errors === 0;
}
const schema54 = {"$id":"component:DocumentTemplate","type":"object","required":["id","title","version","type_id","category_id","status","variable_schema","create_time","update_time"],"additionalProperties":false,"properties":{"id":{"type":"string","format":"uuid"},"title":{"type":"string"},"version":{"type":"integer","format":"int32","minimum":1},"type_id":{"type":"string","format":"uuid"},"category_id":{"$ref":"component:UuidOrEmpty"},"status":{"$ref":"component:CatalogueStatus"},"variable_schema":{"$ref":"component:VariableSchema"},"create_time":{"type":"string","format":"date-time"},"update_time":{"type":"string","format":"date-time"}}};
const formats32 = formats.int32;
const schema58 = {"$id":"component:ScalarVariable","type":"object","required":["type"],"additionalProperties":false,"properties":{"type":{"type":"string","enum":["string","number","integer","boolean"]},"title":{"type":"string"},"description":{"type":"string"},"enum":{"type":"array","minItems":1,"items":{"$ref":"component:ScalarValue"}},"const":{"$ref":"component:ScalarValue"},"format":{"type":"string","const":"date"},"minLength":{"type":"integer","minimum":0},"maxLength":{"type":"integer","minimum":0},"minimum":{"type":"number"},"maximum":{"type":"number"}}};
const schema59 = {"$id":"component:ScalarValue","type":["string","number","boolean"]};
function validate70(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(func3.call(schema58.properties, key0))){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(!((((data0 === "string") || (data0 === "number")) || (data0 === "integer")) || (data0 === "boolean"))){
const err3 = {instancePath:instancePath+"/type",keyword:"enum",params:{allowedValues: schema58.properties.type.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.title !== undefined){
if(typeof data.title !== "string"){
const err4 = {instancePath:instancePath+"/title",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.description !== undefined){
if(typeof data.description !== "string"){
const err5 = {instancePath:instancePath+"/description",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.enum !== undefined){
let data3 = data.enum;
if(Array.isArray(data3)){
if(data3.length < 1){
const err6 = {instancePath:instancePath+"/enum",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
if(((typeof data4 !== "string") && (!((typeof data4 == "number") && (isFinite(data4))))) && (typeof data4 !== "boolean")){
const err7 = {instancePath:instancePath+"/enum/" + i0,keyword:"type",params:{type: schema59.type},message:"must be string,number,boolean"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/enum",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.const !== undefined){
let data5 = data.const;
if(((typeof data5 !== "string") && (!((typeof data5 == "number") && (isFinite(data5))))) && (typeof data5 !== "boolean")){
const err9 = {instancePath:instancePath+"/const",keyword:"type",params:{type: schema59.type},message:"must be string,number,boolean"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.format !== undefined){
let data6 = data.format;
if(typeof data6 !== "string"){
const err10 = {instancePath:instancePath+"/format",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if("date" !== data6){
const err11 = {instancePath:instancePath+"/format",keyword:"const",params:{allowedValue: "date"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.minLength !== undefined){
let data7 = data.minLength;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
const err12 = {instancePath:instancePath+"/minLength",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 < 0 || isNaN(data7)){
const err13 = {instancePath:instancePath+"/minLength",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
if(data.maxLength !== undefined){
let data8 = data.maxLength;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
const err14 = {instancePath:instancePath+"/maxLength",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 < 0 || isNaN(data8)){
const err15 = {instancePath:instancePath+"/maxLength",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
if(data.minimum !== undefined){
let data9 = data.minimum;
if(!((typeof data9 == "number") && (isFinite(data9)))){
const err16 = {instancePath:instancePath+"/minimum",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.maximum !== undefined){
let data10 = data.maximum;
if(!((typeof data10 == "number") && (isFinite(data10)))){
const err17 = {instancePath:instancePath+"/maximum",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
else {
const err18 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
validate70.errors = vErrors;
return errors === 0;
}
function validate74(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.properties === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "properties"},message:"must have required property '"+"properties"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.required === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "required"},message:"must have required property '"+"required"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.additionalProperties === undefined){
const err3 = {instancePath,keyword:"required",params:{missingProperty: "additionalProperties"},message:"must have required property '"+"additionalProperties"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(!((((((key0 === "type") || (key0 === "title")) || (key0 === "description")) || (key0 === "properties")) || (key0 === "required")) || (key0 === "additionalProperties"))){
const err4 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err5 = {instancePath:instancePath+"/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if("object" !== data0){
const err6 = {instancePath:instancePath+"/type",keyword:"const",params:{allowedValue: "object"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.title !== undefined){
if(typeof data.title !== "string"){
const err7 = {instancePath:instancePath+"/title",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.description !== undefined){
if(typeof data.description !== "string"){
const err8 = {instancePath:instancePath+"/description",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.properties !== undefined){
let data3 = data.properties;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
for(const key1 in data3){
if(!(validate70(data3[key1], {instancePath:instancePath+"/properties/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data3,parentDataProperty:key1,rootData}))){
vErrors = vErrors === null ? validate70.errors : vErrors.concat(validate70.errors);
errors = vErrors.length;
}
}
}
else {
const err9 = {instancePath:instancePath+"/properties",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.required !== undefined){
let data5 = data.required;
if(Array.isArray(data5)){
const len0 = data5.length;
for(let i0=0; i0<len0; i0++){
if(typeof data5[i0] !== "string"){
const err10 = {instancePath:instancePath+"/required/" + i0,keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(!func0(data5)){
const err11 = {instancePath:instancePath+"/required",keyword:"uniqueItems",params:{},message:"must NOT have duplicate items"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/required",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.additionalProperties !== undefined){
let data7 = data.additionalProperties;
if(typeof data7 !== "boolean"){
const err13 = {instancePath:instancePath+"/additionalProperties",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(false !== data7){
const err14 = {instancePath:instancePath+"/additionalProperties",keyword:"const",params:{allowedValue: false},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
else {
const err15 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
validate74.errors = vErrors;
return errors === 0;
}
function validate72(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.items === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "items"},message:"must have required property '"+"items"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((((key0 === "type") || (key0 === "title")) || (key0 === "description")) || (key0 === "items"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if("array" !== data0){
const err4 = {instancePath:instancePath+"/type",keyword:"const",params:{allowedValue: "array"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.title !== undefined){
if(typeof data.title !== "string"){
const err5 = {instancePath:instancePath+"/title",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.description !== undefined){
if(typeof data.description !== "string"){
const err6 = {instancePath:instancePath+"/description",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.items !== undefined){
let data3 = data.items;
const _errs9 = errors;
let valid1 = false;
const _errs10 = errors;
if(!(validate70(data3, {instancePath:instancePath+"/items",parentData:data,parentDataProperty:"items",rootData}))){
vErrors = vErrors === null ? validate70.errors : vErrors.concat(validate70.errors);
errors = vErrors.length;
}
var _valid0 = _errs10 === errors;
valid1 = valid1 || _valid0;
if(_valid0){
var props0 = true;
}
const _errs11 = errors;
if(!(validate74(data3, {instancePath:instancePath+"/items",parentData:data,parentDataProperty:"items",rootData}))){
vErrors = vErrors === null ? validate74.errors : vErrors.concat(validate74.errors);
errors = vErrors.length;
}
var _valid0 = _errs11 === errors;
valid1 = valid1 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
if(!valid1){
const err7 = {instancePath:instancePath+"/items",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
else {
errors = _errs9;
if(vErrors !== null){
if(_errs9){
vErrors.length = _errs9;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err8 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate72.errors = vErrors;
return errors === 0;
}
function validate69(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
const _errs0 = errors;
let valid0 = false;
const _errs1 = errors;
if(!(validate70(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate70.errors : vErrors.concat(validate70.errors);
errors = vErrors.length;
}
var _valid0 = _errs1 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
var props0 = true;
}
const _errs2 = errors;
if(!(validate72(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate72.errors : vErrors.concat(validate72.errors);
errors = vErrors.length;
}
var _valid0 = _errs2 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = true;
}
}
if(!valid0){
const err0 = {instancePath,keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate69.errors = vErrors;
return errors === 0;
}
function validate68(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.properties === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "properties"},message:"must have required property '"+"properties"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.required === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "required"},message:"must have required property '"+"required"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.additionalProperties === undefined){
const err3 = {instancePath,keyword:"required",params:{missingProperty: "additionalProperties"},message:"must have required property '"+"additionalProperties"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(!((((((key0 === "type") || (key0 === "title")) || (key0 === "description")) || (key0 === "properties")) || (key0 === "required")) || (key0 === "additionalProperties"))){
const err4 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err5 = {instancePath:instancePath+"/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if("object" !== data0){
const err6 = {instancePath:instancePath+"/type",keyword:"const",params:{allowedValue: "object"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.title !== undefined){
if(typeof data.title !== "string"){
const err7 = {instancePath:instancePath+"/title",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.description !== undefined){
if(typeof data.description !== "string"){
const err8 = {instancePath:instancePath+"/description",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.properties !== undefined){
let data3 = data.properties;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
for(const key1 in data3){
if(!(validate69(data3[key1], {instancePath:instancePath+"/properties/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data3,parentDataProperty:key1,rootData}))){
vErrors = vErrors === null ? validate69.errors : vErrors.concat(validate69.errors);
errors = vErrors.length;
}
}
}
else {
const err9 = {instancePath:instancePath+"/properties",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.required !== undefined){
let data5 = data.required;
if(Array.isArray(data5)){
const len0 = data5.length;
for(let i0=0; i0<len0; i0++){
if(typeof data5[i0] !== "string"){
const err10 = {instancePath:instancePath+"/required/" + i0,keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(!func0(data5)){
const err11 = {instancePath:instancePath+"/required",keyword:"uniqueItems",params:{},message:"must NOT have duplicate items"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/required",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.additionalProperties !== undefined){
let data7 = data.additionalProperties;
if(typeof data7 !== "boolean"){
const err13 = {instancePath:instancePath+"/additionalProperties",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(false !== data7){
const err14 = {instancePath:instancePath+"/additionalProperties",keyword:"const",params:{allowedValue: false},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
else {
const err15 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
validate68.errors = vErrors;
return errors === 0;
}
function validate66(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.title === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "title"},message:"must have required property '"+"title"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.version === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "version"},message:"must have required property '"+"version"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.type_id === undefined){
const err3 = {instancePath,keyword:"required",params:{missingProperty: "type_id"},message:"must have required property '"+"type_id"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.category_id === undefined){
const err4 = {instancePath,keyword:"required",params:{missingProperty: "category_id"},message:"must have required property '"+"category_id"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.status === undefined){
const err5 = {instancePath,keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.variable_schema === undefined){
const err6 = {instancePath,keyword:"required",params:{missingProperty: "variable_schema"},message:"must have required property '"+"variable_schema"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.create_time === undefined){
const err7 = {instancePath,keyword:"required",params:{missingProperty: "create_time"},message:"must have required property '"+"create_time"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data.update_time === undefined){
const err8 = {instancePath,keyword:"required",params:{missingProperty: "update_time"},message:"must have required property '"+"update_time"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
for(const key0 in data){
if(!(func3.call(schema54.properties, key0))){
const err9 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.id !== undefined){
let data0 = data.id;
if(typeof data0 === "string"){
if(!(formats0.test(data0))){
const err10 = {instancePath:instancePath+"/id",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/id",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.title !== undefined){
if(typeof data.title !== "string"){
const err12 = {instancePath:instancePath+"/title",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.version !== undefined){
let data2 = data.version;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err13 = {instancePath:instancePath+"/version",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 1 || isNaN(data2)){
const err14 = {instancePath:instancePath+"/version",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(!(formats32.validate(data2))){
const err15 = {instancePath:instancePath+"/version",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
if(data.type_id !== undefined){
let data3 = data.type_id;
if(typeof data3 === "string"){
if(!(formats0.test(data3))){
const err16 = {instancePath:instancePath+"/type_id",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/type_id",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.category_id !== undefined){
if(!(validate28(data.category_id, {instancePath:instancePath+"/category_id",parentData:data,parentDataProperty:"category_id",rootData}))){
vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
errors = vErrors.length;
}
}
if(data.status !== undefined){
let data5 = data.status;
if(typeof data5 !== "string"){
const err18 = {instancePath:instancePath+"/status",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(!((data5 === "ACTIVE") || (data5 === "ARCHIVED"))){
const err19 = {instancePath:instancePath+"/status",keyword:"enum",params:{allowedValues: schema48.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.variable_schema !== undefined){
if(!(validate68(data.variable_schema, {instancePath:instancePath+"/variable_schema",parentData:data,parentDataProperty:"variable_schema",rootData}))){
vErrors = vErrors === null ? validate68.errors : vErrors.concat(validate68.errors);
errors = vErrors.length;
}
}
if(data.create_time !== undefined){
let data7 = data.create_time;
if(typeof data7 === "string"){
if(!(formats8(data7))){
const err20 = {instancePath:instancePath+"/create_time",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
else {
const err21 = {instancePath:instancePath+"/create_time",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.update_time !== undefined){
let data8 = data.update_time;
if(typeof data8 === "string"){
if(!(formats8(data8))){
const err22 = {instancePath:instancePath+"/update_time",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
else {
const err23 = {instancePath:instancePath+"/update_time",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
}
else {
const err24 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
validate66.errors = vErrors;
return errors === 0;
}
function validate65(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.document_templates === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "document_templates"},message:"must have required property '"+"document_templates"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.next_page_token === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "next_page_token"},message:"must have required property '"+"next_page_token"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "document_templates") || (key0 === "next_page_token"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.document_templates !== undefined){
let data0 = data.document_templates;
if(Array.isArray(data0)){
if(data0.length > 1000){
const err3 = {instancePath:instancePath+"/document_templates",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
if(!(validate66(data0[i0], {instancePath:instancePath+"/document_templates/" + i0,parentData:data0,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors);
errors = vErrors.length;
}
}
}
else {
const err4 = {instancePath:instancePath+"/document_templates",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.next_page_token !== undefined){
if(typeof data.next_page_token !== "string"){
const err5 = {instancePath:instancePath+"/next_page_token",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate65.errors = vErrors;
return errors === 0;
}
function validate81(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.document_template === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "document_template"},message:"must have required property '"+"document_template"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(key0 === "document_template")){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.document_template !== undefined){
if(!(validate66(data.document_template, {instancePath:instancePath+"/document_template",parentData:data,parentDataProperty:"document_template",rootData}))){
vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors);
errors = vErrors.length;
}
}
}
else {
const err2 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate81.errors = vErrors;
return errors === 0;
}
const schema66 = {"$id":"component:Document","type":"object","required":["id","title","type_id","number","date","organization_id","department_id","initiator_employee_id","subject_employee_ids","status","files","route","create_time","update_time","completed_at"],"additionalProperties":false,"properties":{"id":{"type":"string","format":"uuid"},"title":{"type":"string"},"type_id":{"type":"string","format":"uuid"},"number":{"type":"string"},"date":{"$ref":"component:DateOrEmpty"},"organization_id":{"$ref":"component:UuidOrEmpty"},"department_id":{"$ref":"component:UuidOrEmpty"},"initiator_employee_id":{"type":"string","format":"uuid"},"subject_employee_ids":{"type":"array","items":{"type":"string","format":"uuid"}},"status":{"$ref":"component:DocumentStatus"},"files":{"type":"array","items":{"$ref":"component:DocumentFile"}},"route":{"$ref":"component:Route"},"create_time":{"type":"string","format":"date-time"},"update_time":{"type":"string","format":"date-time"},"completed_at":{"$ref":"component:DateTimeOrEmpty"}}};
const schema67 = {"$id":"component:DocumentStatus","type":"string","enum":["DOCUMENT_STATUS_UNSPECIFIED","DOCUMENT_STATUS_DRAFT","DOCUMENT_STATUS_ON_APPROVAL","DOCUMENT_STATUS_ON_SIGN","DOCUMENT_STATUS_COMPLETED","DOCUMENT_STATUS_REJECTED","DOCUMENT_STATUS_CHANGE_REQUESTED","DOCUMENT_STATUS_REVOKED"]};
const schema69 = {"$id":"component:FileType","type":"string","enum":["FILE_TYPE_UNSPECIFIED","FILE_TYPE_PDF","FILE_TYPE_SIGNATURE","FILE_TYPE_SIGNED_PDF"]};
function validate88(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.file_id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "file_id"},message:"must have required property '"+"file_id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.file_type === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "file_type"},message:"must have required property '"+"file_type"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "file_id") || (key0 === "file_type"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.file_id !== undefined){
let data0 = data.file_id;
if(typeof data0 === "string"){
if(!(formats0.test(data0))){
const err3 = {instancePath:instancePath+"/file_id",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/file_id",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.file_type !== undefined){
let data1 = data.file_type;
if(typeof data1 !== "string"){
const err5 = {instancePath:instancePath+"/file_type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!((((data1 === "FILE_TYPE_UNSPECIFIED") || (data1 === "FILE_TYPE_PDF")) || (data1 === "FILE_TYPE_SIGNATURE")) || (data1 === "FILE_TYPE_SIGNED_PDF"))){
const err6 = {instancePath:instancePath+"/file_type",keyword:"enum",params:{allowedValues: schema69.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate88.errors = vErrors;
return errors === 0;
}
const schema71 = {"$id":"component:RouteStatus","type":"string","enum":["ROUTE_STATUS_UNSPECIFIED","ROUTE_STATUS_DRAFT","ROUTE_STATUS_ACTIVE","ROUTE_STATUS_COMPLETED","ROUTE_STATUS_REJECTED","ROUTE_STATUS_CANCELLED"]};
const schema76 = {"$id":"component:StepRule","type":"string","enum":["STEP_RULE_UNSPECIFIED","STEP_RULE_ALL","STEP_RULE_ANY"]};
const schema77 = {"$id":"component:StepStatus","type":"string","enum":["STEP_STATUS_UNSPECIFIED","STEP_STATUS_PENDING","STEP_STATUS_ACTIVE","STEP_STATUS_COMPLETED","STEP_STATUS_REJECTED","STEP_STATUS_CANCELLED"]};
const schema78 = {"$id":"component:StepType","type":"string","enum":["STEP_TYPE_UNSPECIFIED","STEP_TYPE_APPROVAL","STEP_TYPE_SIGNING"]};
const schema74 = {"$id":"component:KeyType","type":"string","enum":["SIMPLE","EDS"]};
const schema75 = {"$id":"component:ParticipantStatus","type":"string","enum":["PARTICIPANT_STATUS_UNSPECIFIED","PARTICIPANT_STATUS_PENDING","PARTICIPANT_STATUS_ACTIVE","PARTICIPANT_STATUS_APPROVED","PARTICIPANT_STATUS_SIGNED","PARTICIPANT_STATUS_REJECTED","PARTICIPANT_STATUS_CHANGE_REQUESTED","PARTICIPANT_STATUS_SKIPPED"]};
function validate93(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.employee_id === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "employee_id"},message:"must have required property '"+"employee_id"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.key_type === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "key_type"},message:"must have required property '"+"key_type"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.status === undefined){
const err3 = {instancePath,keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(!((((key0 === "id") || (key0 === "employee_id")) || (key0 === "key_type")) || (key0 === "status"))){
const err4 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.id !== undefined){
let data0 = data.id;
if(typeof data0 === "string"){
if(!(formats0.test(data0))){
const err5 = {instancePath:instancePath+"/id",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/id",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.employee_id !== undefined){
let data1 = data.employee_id;
if(typeof data1 === "string"){
if(!(formats0.test(data1))){
const err7 = {instancePath:instancePath+"/employee_id",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/employee_id",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.key_type !== undefined){
let data2 = data.key_type;
if(typeof data2 !== "string"){
const err9 = {instancePath:instancePath+"/key_type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(!((data2 === "SIMPLE") || (data2 === "EDS"))){
const err10 = {instancePath:instancePath+"/key_type",keyword:"enum",params:{allowedValues: schema74.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.status !== undefined){
let data3 = data.status;
if(typeof data3 !== "string"){
const err11 = {instancePath:instancePath+"/status",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(!((((((((data3 === "PARTICIPANT_STATUS_UNSPECIFIED") || (data3 === "PARTICIPANT_STATUS_PENDING")) || (data3 === "PARTICIPANT_STATUS_ACTIVE")) || (data3 === "PARTICIPANT_STATUS_APPROVED")) || (data3 === "PARTICIPANT_STATUS_SIGNED")) || (data3 === "PARTICIPANT_STATUS_REJECTED")) || (data3 === "PARTICIPANT_STATUS_CHANGE_REQUESTED")) || (data3 === "PARTICIPANT_STATUS_SKIPPED"))){
const err12 = {instancePath:instancePath+"/status",keyword:"enum",params:{allowedValues: schema75.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate93.errors = vErrors;
return errors === 0;
}
function validate92(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.index === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "index"},message:"must have required property '"+"index"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.participants === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "participants"},message:"must have required property '"+"participants"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.rule === undefined){
const err3 = {instancePath,keyword:"required",params:{missingProperty: "rule"},message:"must have required property '"+"rule"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.status === undefined){
const err4 = {instancePath,keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.step_type === undefined){
const err5 = {instancePath,keyword:"required",params:{missingProperty: "step_type"},message:"must have required property '"+"step_type"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
for(const key0 in data){
if(!((((((key0 === "id") || (key0 === "index")) || (key0 === "participants")) || (key0 === "rule")) || (key0 === "status")) || (key0 === "step_type"))){
const err6 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.id !== undefined){
let data0 = data.id;
if(typeof data0 === "string"){
if(!(formats0.test(data0))){
const err7 = {instancePath:instancePath+"/id",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/id",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.index !== undefined){
let data1 = data.index;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err9 = {instancePath:instancePath+"/index",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 0 || isNaN(data1)){
const err10 = {instancePath:instancePath+"/index",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(!(formats32.validate(data1))){
const err11 = {instancePath:instancePath+"/index",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
if(data.participants !== undefined){
let data2 = data.participants;
if(Array.isArray(data2)){
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
if(!(validate93(data2[i0], {instancePath:instancePath+"/participants/" + i0,parentData:data2,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate93.errors : vErrors.concat(validate93.errors);
errors = vErrors.length;
}
}
}
else {
const err12 = {instancePath:instancePath+"/participants",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.rule !== undefined){
let data4 = data.rule;
if(typeof data4 !== "string"){
const err13 = {instancePath:instancePath+"/rule",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(!(((data4 === "STEP_RULE_UNSPECIFIED") || (data4 === "STEP_RULE_ALL")) || (data4 === "STEP_RULE_ANY"))){
const err14 = {instancePath:instancePath+"/rule",keyword:"enum",params:{allowedValues: schema76.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.status !== undefined){
let data5 = data.status;
if(typeof data5 !== "string"){
const err15 = {instancePath:instancePath+"/status",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(!((((((data5 === "STEP_STATUS_UNSPECIFIED") || (data5 === "STEP_STATUS_PENDING")) || (data5 === "STEP_STATUS_ACTIVE")) || (data5 === "STEP_STATUS_COMPLETED")) || (data5 === "STEP_STATUS_REJECTED")) || (data5 === "STEP_STATUS_CANCELLED"))){
const err16 = {instancePath:instancePath+"/status",keyword:"enum",params:{allowedValues: schema77.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.step_type !== undefined){
let data6 = data.step_type;
if(typeof data6 !== "string"){
const err17 = {instancePath:instancePath+"/step_type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(!(((data6 === "STEP_TYPE_UNSPECIFIED") || (data6 === "STEP_TYPE_APPROVAL")) || (data6 === "STEP_TYPE_SIGNING"))){
const err18 = {instancePath:instancePath+"/step_type",keyword:"enum",params:{allowedValues: schema78.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
else {
const err19 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
validate92.errors = vErrors;
return errors === 0;
}
function validate90(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.active === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "active"},message:"must have required property '"+"active"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.status === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.steps === undefined){
const err3 = {instancePath,keyword:"required",params:{missingProperty: "steps"},message:"must have required property '"+"steps"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(!((((key0 === "id") || (key0 === "active")) || (key0 === "status")) || (key0 === "steps"))){
const err4 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.id !== undefined){
if(!(validate28(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData}))){
vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
errors = vErrors.length;
}
}
if(data.active !== undefined){
if(typeof data.active !== "boolean"){
const err5 = {instancePath:instancePath+"/active",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.status !== undefined){
let data2 = data.status;
if(typeof data2 !== "string"){
const err6 = {instancePath:instancePath+"/status",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(!((((((data2 === "ROUTE_STATUS_UNSPECIFIED") || (data2 === "ROUTE_STATUS_DRAFT")) || (data2 === "ROUTE_STATUS_ACTIVE")) || (data2 === "ROUTE_STATUS_COMPLETED")) || (data2 === "ROUTE_STATUS_REJECTED")) || (data2 === "ROUTE_STATUS_CANCELLED"))){
const err7 = {instancePath:instancePath+"/status",keyword:"enum",params:{allowedValues: schema71.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.steps !== undefined){
let data3 = data.steps;
if(Array.isArray(data3)){
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
if(!(validate92(data3[i0], {instancePath:instancePath+"/steps/" + i0,parentData:data3,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate92.errors : vErrors.concat(validate92.errors);
errors = vErrors.length;
}
}
}
else {
const err8 = {instancePath:instancePath+"/steps",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate90.errors = vErrors;
return errors === 0;
}
function validate97(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(typeof data !== "string"){
const err0 = {instancePath,keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const _errs1 = errors;
let valid0 = false;
const _errs2 = errors;
if(typeof data === "string"){
if(!(formats8(data))){
const err1 = {instancePath,keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath,keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid0 = _errs2 === errors;
valid0 = valid0 || _valid0;
const _errs4 = errors;
if(typeof data !== "string"){
const err3 = {instancePath,keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if("" !== data){
const err4 = {instancePath,keyword:"const",params:{allowedValue: ""},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
var _valid0 = _errs4 === errors;
valid0 = valid0 || _valid0;
if(!valid0){
const err5 = {instancePath,keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
validate97.errors = vErrors;
return errors === 0;
}
function validate84(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.title === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "title"},message:"must have required property '"+"title"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.type_id === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "type_id"},message:"must have required property '"+"type_id"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.number === undefined){
const err3 = {instancePath,keyword:"required",params:{missingProperty: "number"},message:"must have required property '"+"number"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.date === undefined){
const err4 = {instancePath,keyword:"required",params:{missingProperty: "date"},message:"must have required property '"+"date"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.organization_id === undefined){
const err5 = {instancePath,keyword:"required",params:{missingProperty: "organization_id"},message:"must have required property '"+"organization_id"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.department_id === undefined){
const err6 = {instancePath,keyword:"required",params:{missingProperty: "department_id"},message:"must have required property '"+"department_id"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.initiator_employee_id === undefined){
const err7 = {instancePath,keyword:"required",params:{missingProperty: "initiator_employee_id"},message:"must have required property '"+"initiator_employee_id"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data.subject_employee_ids === undefined){
const err8 = {instancePath,keyword:"required",params:{missingProperty: "subject_employee_ids"},message:"must have required property '"+"subject_employee_ids"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data.status === undefined){
const err9 = {instancePath,keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data.files === undefined){
const err10 = {instancePath,keyword:"required",params:{missingProperty: "files"},message:"must have required property '"+"files"+"'"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data.route === undefined){
const err11 = {instancePath,keyword:"required",params:{missingProperty: "route"},message:"must have required property '"+"route"+"'"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data.create_time === undefined){
const err12 = {instancePath,keyword:"required",params:{missingProperty: "create_time"},message:"must have required property '"+"create_time"+"'"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data.update_time === undefined){
const err13 = {instancePath,keyword:"required",params:{missingProperty: "update_time"},message:"must have required property '"+"update_time"+"'"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data.completed_at === undefined){
const err14 = {instancePath,keyword:"required",params:{missingProperty: "completed_at"},message:"must have required property '"+"completed_at"+"'"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
for(const key0 in data){
if(!(func3.call(schema66.properties, key0))){
const err15 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.id !== undefined){
let data0 = data.id;
if(typeof data0 === "string"){
if(!(formats0.test(data0))){
const err16 = {instancePath:instancePath+"/id",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/id",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.title !== undefined){
if(typeof data.title !== "string"){
const err18 = {instancePath:instancePath+"/title",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.type_id !== undefined){
let data2 = data.type_id;
if(typeof data2 === "string"){
if(!(formats0.test(data2))){
const err19 = {instancePath:instancePath+"/type_id",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/type_id",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.number !== undefined){
if(typeof data.number !== "string"){
const err21 = {instancePath:instancePath+"/number",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.date !== undefined){
if(!(validate34(data.date, {instancePath:instancePath+"/date",parentData:data,parentDataProperty:"date",rootData}))){
vErrors = vErrors === null ? validate34.errors : vErrors.concat(validate34.errors);
errors = vErrors.length;
}
}
if(data.organization_id !== undefined){
if(!(validate28(data.organization_id, {instancePath:instancePath+"/organization_id",parentData:data,parentDataProperty:"organization_id",rootData}))){
vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
errors = vErrors.length;
}
}
if(data.department_id !== undefined){
if(!(validate28(data.department_id, {instancePath:instancePath+"/department_id",parentData:data,parentDataProperty:"department_id",rootData}))){
vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
errors = vErrors.length;
}
}
if(data.initiator_employee_id !== undefined){
let data7 = data.initiator_employee_id;
if(typeof data7 === "string"){
if(!(formats0.test(data7))){
const err22 = {instancePath:instancePath+"/initiator_employee_id",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
else {
const err23 = {instancePath:instancePath+"/initiator_employee_id",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.subject_employee_ids !== undefined){
let data8 = data.subject_employee_ids;
if(Array.isArray(data8)){
const len0 = data8.length;
for(let i0=0; i0<len0; i0++){
let data9 = data8[i0];
if(typeof data9 === "string"){
if(!(formats0.test(data9))){
const err24 = {instancePath:instancePath+"/subject_employee_ids/" + i0,keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/subject_employee_ids/" + i0,keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
}
else {
const err26 = {instancePath:instancePath+"/subject_employee_ids",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data.status !== undefined){
let data10 = data.status;
if(typeof data10 !== "string"){
const err27 = {instancePath:instancePath+"/status",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(!((((((((data10 === "DOCUMENT_STATUS_UNSPECIFIED") || (data10 === "DOCUMENT_STATUS_DRAFT")) || (data10 === "DOCUMENT_STATUS_ON_APPROVAL")) || (data10 === "DOCUMENT_STATUS_ON_SIGN")) || (data10 === "DOCUMENT_STATUS_COMPLETED")) || (data10 === "DOCUMENT_STATUS_REJECTED")) || (data10 === "DOCUMENT_STATUS_CHANGE_REQUESTED")) || (data10 === "DOCUMENT_STATUS_REVOKED"))){
const err28 = {instancePath:instancePath+"/status",keyword:"enum",params:{allowedValues: schema67.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data.files !== undefined){
let data11 = data.files;
if(Array.isArray(data11)){
const len1 = data11.length;
for(let i1=0; i1<len1; i1++){
if(!(validate88(data11[i1], {instancePath:instancePath+"/files/" + i1,parentData:data11,parentDataProperty:i1,rootData}))){
vErrors = vErrors === null ? validate88.errors : vErrors.concat(validate88.errors);
errors = vErrors.length;
}
}
}
else {
const err29 = {instancePath:instancePath+"/files",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data.route !== undefined){
if(!(validate90(data.route, {instancePath:instancePath+"/route",parentData:data,parentDataProperty:"route",rootData}))){
vErrors = vErrors === null ? validate90.errors : vErrors.concat(validate90.errors);
errors = vErrors.length;
}
}
if(data.create_time !== undefined){
let data14 = data.create_time;
if(typeof data14 === "string"){
if(!(formats8(data14))){
const err30 = {instancePath:instancePath+"/create_time",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/create_time",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data.update_time !== undefined){
let data15 = data.update_time;
if(typeof data15 === "string"){
if(!(formats8(data15))){
const err32 = {instancePath:instancePath+"/update_time",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
else {
const err33 = {instancePath:instancePath+"/update_time",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data.completed_at !== undefined){
if(!(validate97(data.completed_at, {instancePath:instancePath+"/completed_at",parentData:data,parentDataProperty:"completed_at",rootData}))){
vErrors = vErrors === null ? validate97.errors : vErrors.concat(validate97.errors);
errors = vErrors.length;
}
}
}
else {
const err34 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
validate84.errors = vErrors;
return errors === 0;
}
function validate83(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.documents === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "documents"},message:"must have required property '"+"documents"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.next_page_token === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "next_page_token"},message:"must have required property '"+"next_page_token"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "documents") || (key0 === "next_page_token"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.documents !== undefined){
let data0 = data.documents;
if(Array.isArray(data0)){
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
if(!(validate84(data0[i0], {instancePath:instancePath+"/documents/" + i0,parentData:data0,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors);
errors = vErrors.length;
}
}
}
else {
const err3 = {instancePath:instancePath+"/documents",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.next_page_token !== undefined){
if(typeof data.next_page_token !== "string"){
const err4 = {instancePath:instancePath+"/next_page_token",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate83.errors = vErrors;
return errors === 0;
}
function validate100(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.document === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "document"},message:"must have required property '"+"document"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(key0 === "document")){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.document !== undefined){
if(!(validate84(data.document, {instancePath:instancePath+"/document",parentData:data,parentDataProperty:"document",rootData}))){
vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors);
errors = vErrors.length;
}
}
}
else {
const err2 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate100.errors = vErrors;
return errors === 0;
}
function validate102(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.document === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "document"},message:"must have required property '"+"document"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(key0 === "document")){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.document !== undefined){
if(!(validate84(data.document, {instancePath:instancePath+"/document",parentData:data,parentDataProperty:"document",rootData}))){
vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors);
errors = vErrors.length;
}
}
}
else {
const err2 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate102.errors = vErrors;
return errors === 0;
}
function validate104(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.document === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "document"},message:"must have required property '"+"document"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(key0 === "document")){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.document !== undefined){
if(!(validate84(data.document, {instancePath:instancePath+"/document",parentData:data,parentDataProperty:"document",rootData}))){
vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors);
errors = vErrors.length;
}
}
}
else {
const err2 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate104.errors = vErrors;
return errors === 0;
}
function validate106(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.document === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "document"},message:"must have required property '"+"document"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(key0 === "document")){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.document !== undefined){
if(!(validate84(data.document, {instancePath:instancePath+"/document",parentData:data,parentDataProperty:"document",rootData}))){
vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors);
errors = vErrors.length;
}
}
}
else {
const err2 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate106.errors = vErrors;
return errors === 0;
}
function validate108(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.document === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "document"},message:"must have required property '"+"document"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(key0 === "document")){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.document !== undefined){
if(!(validate84(data.document, {instancePath:instancePath+"/document",parentData:data,parentDataProperty:"document",rootData}))){
vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors);
errors = vErrors.length;
}
}
}
else {
const err2 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate108.errors = vErrors;
return errors === 0;
}
function validate110(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.document === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "document"},message:"must have required property '"+"document"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(key0 === "document")){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.document !== undefined){
if(!(validate84(data.document, {instancePath:instancePath+"/document",parentData:data,parentDataProperty:"document",rootData}))){
vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors);
errors = vErrors.length;
}
}
}
else {
const err2 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate110.errors = vErrors;
return errors === 0;
}
function validate112(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.document === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "document"},message:"must have required property '"+"document"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(key0 === "document")){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.document !== undefined){
if(!(validate84(data.document, {instancePath:instancePath+"/document",parentData:data,parentDataProperty:"document",rootData}))){
vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors);
errors = vErrors.length;
}
}
}
else {
const err2 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate112.errors = vErrors;
return errors === 0;
}
function validate115(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.file_id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "file_id"},message:"must have required property '"+"file_id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.file_type === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "file_type"},message:"must have required property '"+"file_type"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.filename === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "filename"},message:"must have required property '"+"filename"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.content_type === undefined){
const err3 = {instancePath,keyword:"required",params:{missingProperty: "content_type"},message:"must have required property '"+"content_type"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.size_bytes === undefined){
const err4 = {instancePath,keyword:"required",params:{missingProperty: "size_bytes"},message:"must have required property '"+"size_bytes"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
for(const key0 in data){
if(!(((((key0 === "file_id") || (key0 === "file_type")) || (key0 === "filename")) || (key0 === "content_type")) || (key0 === "size_bytes"))){
const err5 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.file_id !== undefined){
let data0 = data.file_id;
if(typeof data0 === "string"){
if(!(formats0.test(data0))){
const err6 = {instancePath:instancePath+"/file_id",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/file_id",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.file_type !== undefined){
let data1 = data.file_type;
if(typeof data1 !== "string"){
const err8 = {instancePath:instancePath+"/file_type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!((((data1 === "FILE_TYPE_UNSPECIFIED") || (data1 === "FILE_TYPE_PDF")) || (data1 === "FILE_TYPE_SIGNATURE")) || (data1 === "FILE_TYPE_SIGNED_PDF"))){
const err9 = {instancePath:instancePath+"/file_type",keyword:"enum",params:{allowedValues: schema69.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.filename !== undefined){
if(typeof data.filename !== "string"){
const err10 = {instancePath:instancePath+"/filename",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.content_type !== undefined){
if(typeof data.content_type !== "string"){
const err11 = {instancePath:instancePath+"/content_type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.size_bytes !== undefined){
let data4 = data.size_bytes;
if(typeof data4 === "string"){
if(!pattern6.test(data4)){
const err12 = {instancePath:instancePath+"/size_bytes",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/size_bytes",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
validate115.errors = vErrors;
return errors === 0;
}
const formats66 = formats.uri;
function validate114(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.file === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "file"},message:"must have required property '"+"file"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.url === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "url"},message:"must have required property '"+"url"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.expire_time === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "expire_time"},message:"must have required property '"+"expire_time"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data){
if(!(((key0 === "file") || (key0 === "url")) || (key0 === "expire_time"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.file !== undefined){
if(!(validate115(data.file, {instancePath:instancePath+"/file",parentData:data,parentDataProperty:"file",rootData}))){
vErrors = vErrors === null ? validate115.errors : vErrors.concat(validate115.errors);
errors = vErrors.length;
}
}
if(data.url !== undefined){
let data1 = data.url;
if(typeof data1 === "string"){
if(!(formats66(data1))){
const err4 = {instancePath:instancePath+"/url",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/url",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.expire_time !== undefined){
let data2 = data.expire_time;
if(typeof data2 === "string"){
if(!(formats8(data2))){
const err6 = {instancePath:instancePath+"/expire_time",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/expire_time",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate114.errors = vErrors;
return errors === 0;
}
const schema93 = {"$id":"component:FileUploadStatus","type":"string","enum":["FILE_UPLOAD_STATUS_UNSPECIFIED","FILE_UPLOAD_STATUS_RESERVED","FILE_UPLOAD_STATUS_UPLOADED","FILE_UPLOAD_STATUS_EXPIRED"]};
function validate118(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.filename === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "filename"},message:"must have required property '"+"filename"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.content_type === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "content_type"},message:"must have required property '"+"content_type"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.size_bytes === undefined){
const err3 = {instancePath,keyword:"required",params:{missingProperty: "size_bytes"},message:"must have required property '"+"size_bytes"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.status === undefined){
const err4 = {instancePath,keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.create_time === undefined){
const err5 = {instancePath,keyword:"required",params:{missingProperty: "create_time"},message:"must have required property '"+"create_time"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
for(const key0 in data){
if(!((((((key0 === "id") || (key0 === "filename")) || (key0 === "content_type")) || (key0 === "size_bytes")) || (key0 === "status")) || (key0 === "create_time"))){
const err6 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.id !== undefined){
let data0 = data.id;
if(typeof data0 === "string"){
if(!(formats0.test(data0))){
const err7 = {instancePath:instancePath+"/id",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/id",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.filename !== undefined){
if(typeof data.filename !== "string"){
const err9 = {instancePath:instancePath+"/filename",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.content_type !== undefined){
if(typeof data.content_type !== "string"){
const err10 = {instancePath:instancePath+"/content_type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.size_bytes !== undefined){
let data3 = data.size_bytes;
if(typeof data3 === "string"){
if(!pattern6.test(data3)){
const err11 = {instancePath:instancePath+"/size_bytes",keyword:"pattern",params:{pattern: "^(0|[1-9][0-9]*)$"},message:"must match pattern \""+"^(0|[1-9][0-9]*)$"+"\""};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/size_bytes",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.status !== undefined){
let data4 = data.status;
if(typeof data4 !== "string"){
const err13 = {instancePath:instancePath+"/status",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(!((((data4 === "FILE_UPLOAD_STATUS_UNSPECIFIED") || (data4 === "FILE_UPLOAD_STATUS_RESERVED")) || (data4 === "FILE_UPLOAD_STATUS_UPLOADED")) || (data4 === "FILE_UPLOAD_STATUS_EXPIRED"))){
const err14 = {instancePath:instancePath+"/status",keyword:"enum",params:{allowedValues: schema93.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.create_time !== undefined){
let data5 = data.create_time;
if(typeof data5 === "string"){
if(!(formats8(data5))){
const err15 = {instancePath:instancePath+"/create_time",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/create_time",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
else {
const err17 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
validate118.errors = vErrors;
return errors === 0;
}
function validate120(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.url === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "url"},message:"must have required property '"+"url"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.fields === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "fields"},message:"must have required property '"+"fields"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.expire_time === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "expire_time"},message:"must have required property '"+"expire_time"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data){
if(!(((key0 === "url") || (key0 === "fields")) || (key0 === "expire_time"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.url !== undefined){
let data0 = data.url;
if(typeof data0 === "string"){
if(!(formats66(data0))){
const err4 = {instancePath:instancePath+"/url",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/url",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.fields !== undefined){
let data1 = data.fields;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key1 in data1){
if(typeof data1[key1] !== "string"){
const err6 = {instancePath:instancePath+"/fields/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath:instancePath+"/fields",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.expire_time !== undefined){
let data3 = data.expire_time;
if(typeof data3 === "string"){
if(!(formats8(data3))){
const err8 = {instancePath:instancePath+"/expire_time",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/expire_time",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate120.errors = vErrors;
return errors === 0;
}
function validate117(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.file === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "file"},message:"must have required property '"+"file"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.upload === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "upload"},message:"must have required property '"+"upload"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "file") || (key0 === "upload"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.file !== undefined){
if(!(validate118(data.file, {instancePath:instancePath+"/file",parentData:data,parentDataProperty:"file",rootData}))){
vErrors = vErrors === null ? validate118.errors : vErrors.concat(validate118.errors);
errors = vErrors.length;
}
}
if(data.upload !== undefined){
if(!(validate120(data.upload, {instancePath:instancePath+"/upload",parentData:data,parentDataProperty:"upload",rootData}))){
vErrors = vErrors === null ? validate120.errors : vErrors.concat(validate120.errors);
errors = vErrors.length;
}
}
}
else {
const err3 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate117.errors = vErrors;
return errors === 0;
}
function validate122(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.file === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "file"},message:"must have required property '"+"file"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(key0 === "file")){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.file !== undefined){
if(!(validate118(data.file, {instancePath:instancePath+"/file",parentData:data,parentDataProperty:"file",rootData}))){
vErrors = vErrors === null ? validate118.errors : vErrors.concat(validate118.errors);
errors = vErrors.length;
}
}
}
else {
const err2 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate122.errors = vErrors;
return errors === 0;
}
const schema96 = {"$id":"component:IngestRecordsResponse","type":"object","required":["ingest_request_id","status","record_count"],"additionalProperties":false,"properties":{"ingest_request_id":{"type":"string","format":"uuid"},"status":{"type":"string","enum":["ACCEPTED"]},"record_count":{"type":"integer","format":"int32","minimum":0}}};
function validate124(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.ingest_request_id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "ingest_request_id"},message:"must have required property '"+"ingest_request_id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.status === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.record_count === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "record_count"},message:"must have required property '"+"record_count"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data){
if(!(((key0 === "ingest_request_id") || (key0 === "status")) || (key0 === "record_count"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.ingest_request_id !== undefined){
let data0 = data.ingest_request_id;
if(typeof data0 === "string"){
if(!(formats0.test(data0))){
const err4 = {instancePath:instancePath+"/ingest_request_id",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/ingest_request_id",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.status !== undefined){
let data1 = data.status;
if(typeof data1 !== "string"){
const err6 = {instancePath:instancePath+"/status",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(!(data1 === "ACCEPTED")){
const err7 = {instancePath:instancePath+"/status",keyword:"enum",params:{allowedValues: schema96.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.record_count !== undefined){
let data2 = data.record_count;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err8 = {instancePath:instancePath+"/record_count",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
const err9 = {instancePath:instancePath+"/record_count",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(!(formats32.validate(data2))){
const err10 = {instancePath:instancePath+"/record_count",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
}
else {
const err11 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
validate124.errors = vErrors;
return errors === 0;
}
const schema98 = {"$id":"component:WebhookEndpoint","type":"object","required":["id","url","event_types","status","disabled_reason","disabled_at","create_time","update_time"],"additionalProperties":false,"properties":{"id":{"type":"string","format":"uuid"},"url":{"type":"string","format":"uri","maxLength":2048},"event_types":{"type":"array","minItems":1,"uniqueItems":true,"items":{"$ref":"component:WebhookEventType"}},"status":{"type":"string","enum":["ACTIVE","DISABLED"]},"disabled_reason":{"type":"string","enum":["","CONSECUTIVE_FAILURES","MANUAL"]},"disabled_at":{"$ref":"component:DateTimeOrEmpty"},"create_time":{"type":"string","format":"date-time"},"update_time":{"type":"string","format":"date-time"}}};
const schema99 = {"$id":"component:WebhookEventType","type":"string","enum":["employee.changed","employee.deleted","person.changed","document.sent","document.approval_started","document.signing_started","document.completed","document.rejected","document.change_requested","document.revoked","document.deleted"]};
function validate126(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.url === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "url"},message:"must have required property '"+"url"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.event_types === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "event_types"},message:"must have required property '"+"event_types"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.status === undefined){
const err3 = {instancePath,keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.disabled_reason === undefined){
const err4 = {instancePath,keyword:"required",params:{missingProperty: "disabled_reason"},message:"must have required property '"+"disabled_reason"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.disabled_at === undefined){
const err5 = {instancePath,keyword:"required",params:{missingProperty: "disabled_at"},message:"must have required property '"+"disabled_at"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.create_time === undefined){
const err6 = {instancePath,keyword:"required",params:{missingProperty: "create_time"},message:"must have required property '"+"create_time"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.update_time === undefined){
const err7 = {instancePath,keyword:"required",params:{missingProperty: "update_time"},message:"must have required property '"+"update_time"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
for(const key0 in data){
if(!((((((((key0 === "id") || (key0 === "url")) || (key0 === "event_types")) || (key0 === "status")) || (key0 === "disabled_reason")) || (key0 === "disabled_at")) || (key0 === "create_time")) || (key0 === "update_time"))){
const err8 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.id !== undefined){
let data0 = data.id;
if(typeof data0 === "string"){
if(!(formats0.test(data0))){
const err9 = {instancePath:instancePath+"/id",keyword:"format",params:{format: "uuid"},message:"must match format \""+"uuid"+"\""};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/id",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.url !== undefined){
let data1 = data.url;
if(typeof data1 === "string"){
if(func5(data1) > 2048){
const err11 = {instancePath:instancePath+"/url",keyword:"maxLength",params:{limit: 2048},message:"must NOT have more than 2048 characters"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(!(formats66(data1))){
const err12 = {instancePath:instancePath+"/url",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/url",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.event_types !== undefined){
let data2 = data.event_types;
if(Array.isArray(data2)){
if(data2.length < 1){
const err14 = {instancePath:instancePath+"/event_types",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
let data3 = data2[i0];
if(typeof data3 !== "string"){
const err15 = {instancePath:instancePath+"/event_types/" + i0,keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(!(((((((((((data3 === "employee.changed") || (data3 === "employee.deleted")) || (data3 === "person.changed")) || (data3 === "document.sent")) || (data3 === "document.approval_started")) || (data3 === "document.signing_started")) || (data3 === "document.completed")) || (data3 === "document.rejected")) || (data3 === "document.change_requested")) || (data3 === "document.revoked")) || (data3 === "document.deleted"))){
const err16 = {instancePath:instancePath+"/event_types/" + i0,keyword:"enum",params:{allowedValues: schema99.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(!func0(data2)){
const err17 = {instancePath:instancePath+"/event_types",keyword:"uniqueItems",params:{},message:"must NOT have duplicate items"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/event_types",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.status !== undefined){
let data4 = data.status;
if(typeof data4 !== "string"){
const err19 = {instancePath:instancePath+"/status",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(!((data4 === "ACTIVE") || (data4 === "DISABLED"))){
const err20 = {instancePath:instancePath+"/status",keyword:"enum",params:{allowedValues: schema98.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.disabled_reason !== undefined){
let data5 = data.disabled_reason;
if(typeof data5 !== "string"){
const err21 = {instancePath:instancePath+"/disabled_reason",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(!(((data5 === "") || (data5 === "CONSECUTIVE_FAILURES")) || (data5 === "MANUAL"))){
const err22 = {instancePath:instancePath+"/disabled_reason",keyword:"enum",params:{allowedValues: schema98.properties.disabled_reason.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.disabled_at !== undefined){
if(!(validate97(data.disabled_at, {instancePath:instancePath+"/disabled_at",parentData:data,parentDataProperty:"disabled_at",rootData}))){
vErrors = vErrors === null ? validate97.errors : vErrors.concat(validate97.errors);
errors = vErrors.length;
}
}
if(data.create_time !== undefined){
let data7 = data.create_time;
if(typeof data7 === "string"){
if(!(formats8(data7))){
const err23 = {instancePath:instancePath+"/create_time",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/create_time",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data.update_time !== undefined){
let data8 = data.update_time;
if(typeof data8 === "string"){
if(!(formats8(data8))){
const err25 = {instancePath:instancePath+"/update_time",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/update_time",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
}
else {
const err27 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
validate126.errors = vErrors;
return errors === 0;
}
const pattern9 = new RegExp("^whsec_[A-Za-z0-9_-]{43}$", "u");
function validate125(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.webhook_endpoint === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "webhook_endpoint"},message:"must have required property '"+"webhook_endpoint"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.secret === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "secret"},message:"must have required property '"+"secret"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "webhook_endpoint") || (key0 === "secret"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.webhook_endpoint !== undefined){
if(!(validate126(data.webhook_endpoint, {instancePath:instancePath+"/webhook_endpoint",parentData:data,parentDataProperty:"webhook_endpoint",rootData}))){
vErrors = vErrors === null ? validate126.errors : vErrors.concat(validate126.errors);
errors = vErrors.length;
}
}
if(data.secret !== undefined){
let data1 = data.secret;
if(typeof data1 === "string"){
if(!pattern9.test(data1)){
const err3 = {instancePath:instancePath+"/secret",keyword:"pattern",params:{pattern: "^whsec_[A-Za-z0-9_-]{43}$"},message:"must match pattern \""+"^whsec_[A-Za-z0-9_-]{43}$"+"\""};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/secret",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate125.errors = vErrors;
return errors === 0;
}
const schema100 = {"$id":"component:TestWebhookEndpointResponse","type":"object","required":["status_code","error"],"additionalProperties":false,"properties":{"status_code":{"type":"integer","format":"int32","minimum":0,"maximum":999},"error":{"type":"string","enum":["","dns_error","connect_error","tls_error","timeout","address_denied","protocol_error"]}}};
function validate129(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.status_code === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "status_code"},message:"must have required property '"+"status_code"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.error === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "error"},message:"must have required property '"+"error"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "status_code") || (key0 === "error"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.status_code !== undefined){
let data0 = data.status_code;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err3 = {instancePath:instancePath+"/status_code",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 999 || isNaN(data0)){
const err4 = {instancePath:instancePath+"/status_code",keyword:"maximum",params:{comparison: "<=", limit: 999},message:"must be <= 999"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data0 < 0 || isNaN(data0)){
const err5 = {instancePath:instancePath+"/status_code",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!(formats32.validate(data0))){
const err6 = {instancePath:instancePath+"/status_code",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
if(data.error !== undefined){
let data1 = data.error;
if(typeof data1 !== "string"){
const err7 = {instancePath:instancePath+"/error",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!(((((((data1 === "") || (data1 === "dns_error")) || (data1 === "connect_error")) || (data1 === "tls_error")) || (data1 === "timeout")) || (data1 === "address_denied")) || (data1 === "protocol_error"))){
const err8 = {instancePath:instancePath+"/error",keyword:"enum",params:{allowedValues: schema100.properties.error.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate129.errors = vErrors;
return errors === 0;
}
function validate130(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
const err0 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate130.errors = vErrors;
return errors === 0;
}
const pattern10 = new RegExp("^[A-Z][A-Z_]*(\\.[A-Z][A-Z_]*)?$", "u");
function validate133(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data["@type"] === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "@type"},message:"must have required property '"+"@type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.reason === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "reason"},message:"must have required property '"+"reason"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.domain === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "domain"},message:"must have required property '"+"domain"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.metadata === undefined){
const err3 = {instancePath,keyword:"required",params:{missingProperty: "metadata"},message:"must have required property '"+"metadata"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(!((((key0 === "@type") || (key0 === "reason")) || (key0 === "domain")) || (key0 === "metadata"))){
const err4 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data["@type"] !== undefined){
let data0 = data["@type"];
if(typeof data0 !== "string"){
const err5 = {instancePath:instancePath+"/@type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if("type.googleapis.com/google.rpc.ErrorInfo" !== data0){
const err6 = {instancePath:instancePath+"/@type",keyword:"const",params:{allowedValue: "type.googleapis.com/google.rpc.ErrorInfo"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.reason !== undefined){
let data1 = data.reason;
if(typeof data1 === "string"){
if(!pattern10.test(data1)){
const err7 = {instancePath:instancePath+"/reason",keyword:"pattern",params:{pattern: "^[A-Z][A-Z_]*(\\.[A-Z][A-Z_]*)?$"},message:"must match pattern \""+"^[A-Z][A-Z_]*(\\.[A-Z][A-Z_]*)?$"+"\""};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/reason",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.domain !== undefined){
let data2 = data.domain;
if(typeof data2 === "string"){
if(func5(data2) < 1){
const err9 = {instancePath:instancePath+"/domain",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/domain",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.metadata !== undefined){
let data3 = data.metadata;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
for(const key1 in data3){
if(typeof data3[key1] !== "string"){
const err11 = {instancePath:instancePath+"/metadata/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath:instancePath+"/metadata",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate133.errors = vErrors;
return errors === 0;
}
function validate136(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.field === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "field"},message:"must have required property '"+"field"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.description === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "description"},message:"must have required property '"+"description"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "field") || (key0 === "description"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.field !== undefined){
if(typeof data.field !== "string"){
const err3 = {instancePath:instancePath+"/field",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.description !== undefined){
let data1 = data.description;
if(typeof data1 === "string"){
if(func5(data1) < 1){
const err4 = {instancePath:instancePath+"/description",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/description",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate136.errors = vErrors;
return errors === 0;
}
function validate135(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data["@type"] === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "@type"},message:"must have required property '"+"@type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.field_violations === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "field_violations"},message:"must have required property '"+"field_violations"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "@type") || (key0 === "field_violations"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data["@type"] !== undefined){
let data0 = data["@type"];
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/@type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if("type.googleapis.com/google.rpc.BadRequest" !== data0){
const err4 = {instancePath:instancePath+"/@type",keyword:"const",params:{allowedValue: "type.googleapis.com/google.rpc.BadRequest"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.field_violations !== undefined){
let data1 = data.field_violations;
if(Array.isArray(data1)){
if(data1.length > 20){
const err5 = {instancePath:instancePath+"/field_violations",keyword:"maxItems",params:{limit: 20},message:"must NOT have more than 20 items"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1.length < 1){
const err6 = {instancePath:instancePath+"/field_violations",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
if(!(validate136(data1[i0], {instancePath:instancePath+"/field_violations/" + i0,parentData:data1,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate136.errors : vErrors.concat(validate136.errors);
errors = vErrors.length;
}
}
}
else {
const err7 = {instancePath:instancePath+"/field_violations",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate135.errors = vErrors;
return errors === 0;
}
const pattern11 = new RegExp("^[0-9]+(\\.[0-9]{1,9})?s$", "u");
function validate139(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data["@type"] === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "@type"},message:"must have required property '"+"@type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.retryDelay === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "retryDelay"},message:"must have required property '"+"retryDelay"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "@type") || (key0 === "retryDelay"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data["@type"] !== undefined){
let data0 = data["@type"];
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/@type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if("type.googleapis.com/google.rpc.RetryInfo" !== data0){
const err4 = {instancePath:instancePath+"/@type",keyword:"const",params:{allowedValue: "type.googleapis.com/google.rpc.RetryInfo"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.retryDelay !== undefined){
let data1 = data.retryDelay;
if(typeof data1 === "string"){
if(!pattern11.test(data1)){
const err5 = {instancePath:instancePath+"/retryDelay",keyword:"pattern",params:{pattern: "^[0-9]+(\\.[0-9]{1,9})?s$"},message:"must match pattern \""+"^[0-9]+(\\.[0-9]{1,9})?s$"+"\""};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/retryDelay",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate139.errors = vErrors;
return errors === 0;
}
const pattern12 = new RegExp("^[A-Za-z0-9._-]{1,128}$", "u");
function validate141(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data["@type"] === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "@type"},message:"must have required property '"+"@type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.request_id === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "request_id"},message:"must have required property '"+"request_id"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "@type") || (key0 === "request_id"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data["@type"] !== undefined){
let data0 = data["@type"];
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/@type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if("type.googleapis.com/google.rpc.RequestInfo" !== data0){
const err4 = {instancePath:instancePath+"/@type",keyword:"const",params:{allowedValue: "type.googleapis.com/google.rpc.RequestInfo"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.request_id !== undefined){
let data1 = data.request_id;
if(typeof data1 === "string"){
if(!pattern12.test(data1)){
const err5 = {instancePath:instancePath+"/request_id",keyword:"pattern",params:{pattern: "^[A-Za-z0-9._-]{1,128}$"},message:"must match pattern \""+"^[A-Za-z0-9._-]{1,128}$"+"\""};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/request_id",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate141.errors = vErrors;
return errors === 0;
}
const pattern13 = new RegExp("^https?://[^/]", "u");
function validate144(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.description === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "description"},message:"must have required property '"+"description"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.url === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "url"},message:"must have required property '"+"url"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "description") || (key0 === "url"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.description !== undefined){
let data0 = data.description;
if(typeof data0 === "string"){
if(func5(data0) < 1){
const err3 = {instancePath:instancePath+"/description",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/description",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.url !== undefined){
let data1 = data.url;
if(typeof data1 === "string"){
if(!pattern13.test(data1)){
const err5 = {instancePath:instancePath+"/url",keyword:"pattern",params:{pattern: "^https?://[^/]"},message:"must match pattern \""+"^https?://[^/]"+"\""};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!(formats66(data1))){
const err6 = {instancePath:instancePath+"/url",keyword:"format",params:{format: "uri"},message:"must match format \""+"uri"+"\""};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/url",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate144.errors = vErrors;
return errors === 0;
}
function validate143(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data["@type"] === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "@type"},message:"must have required property '"+"@type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.links === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "links"},message:"must have required property '"+"links"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "@type") || (key0 === "links"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data["@type"] !== undefined){
let data0 = data["@type"];
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/@type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if("type.googleapis.com/google.rpc.Help" !== data0){
const err4 = {instancePath:instancePath+"/@type",keyword:"const",params:{allowedValue: "type.googleapis.com/google.rpc.Help"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.links !== undefined){
let data1 = data.links;
if(Array.isArray(data1)){
if(data1.length < 1){
const err5 = {instancePath:instancePath+"/links",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
if(!(validate144(data1[i0], {instancePath:instancePath+"/links/" + i0,parentData:data1,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate144.errors : vErrors.concat(validate144.errors);
errors = vErrors.length;
}
}
}
else {
const err6 = {instancePath:instancePath+"/links",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate143.errors = vErrors;
return errors === 0;
}
function validate132(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
const _errs0 = errors;
let valid0 = false;
let passing0 = null;
const _errs1 = errors;
if(!(validate133(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate133.errors : vErrors.concat(validate133.errors);
errors = vErrors.length;
}
var _valid0 = _errs1 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
var props0 = true;
}
const _errs2 = errors;
if(!(validate135(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate135.errors : vErrors.concat(validate135.errors);
errors = vErrors.length;
}
var _valid0 = _errs2 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
if(props0 !== true){
props0 = true;
}
}
const _errs3 = errors;
if(!(validate139(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate139.errors : vErrors.concat(validate139.errors);
errors = vErrors.length;
}
var _valid0 = _errs3 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 2];
}
else {
if(_valid0){
valid0 = true;
passing0 = 2;
if(props0 !== true){
props0 = true;
}
}
const _errs4 = errors;
if(!(validate141(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate141.errors : vErrors.concat(validate141.errors);
errors = vErrors.length;
}
var _valid0 = _errs4 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 3];
}
else {
if(_valid0){
valid0 = true;
passing0 = 3;
if(props0 !== true){
props0 = true;
}
}
const _errs5 = errors;
if(!(validate143(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate143.errors : vErrors.concat(validate143.errors);
errors = vErrors.length;
}
var _valid0 = _errs5 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 4];
}
else {
if(_valid0){
valid0 = true;
passing0 = 4;
if(props0 !== true){
props0 = true;
}
}
}
}
}
}
if(!valid0){
const err0 = {instancePath,keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate132.errors = vErrors;
return errors === 0;
}
function validate131(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.code === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.message === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.details === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "details"},message:"must have required property '"+"details"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data){
if(!(((key0 === "code") || (key0 === "message")) || (key0 === "details"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.code !== undefined){
let data0 = data.code;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err4 = {instancePath:instancePath+"/code",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 16 || isNaN(data0)){
const err5 = {instancePath:instancePath+"/code",keyword:"maximum",params:{comparison: "<=", limit: 16},message:"must be <= 16"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data0 < 1 || isNaN(data0)){
const err6 = {instancePath:instancePath+"/code",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(!(formats32.validate(data0))){
const err7 = {instancePath:instancePath+"/code",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\""};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
if(data.message !== undefined){
let data1 = data.message;
if(typeof data1 === "string"){
if(func5(data1) < 1){
const err8 = {instancePath:instancePath+"/message",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/message",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.details !== undefined){
let data2 = data.details;
if(Array.isArray(data2)){
if(data2.length > 5){
const err10 = {instancePath:instancePath+"/details",keyword:"maxItems",params:{limit: 5},message:"must NOT have more than 5 items"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data2.length < 1){
const err11 = {instancePath:instancePath+"/details",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
if(!(validate132(data2[i0], {instancePath:instancePath+"/details/" + i0,parentData:data2,parentDataProperty:i0,rootData}))){
vErrors = vErrors === null ? validate132.errors : vErrors.concat(validate132.errors);
errors = vErrors.length;
}
}
}
else {
const err12 = {instancePath:instancePath+"/details",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath,keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate131.errors = vErrors;
return errors === 0;
}
return { verifyApiKey_answer: validate25, listEmployees_answer: validate26, getEmployee_answer: validate51, listLoginMethods_answer: validate53, listDocumentTypes_answer: validate56, listDocumentCategories_answer: validate61, listDocumentTemplates_answer: validate65, getDocumentTemplate_answer: validate81, listDocuments_answer: validate83, createDocument_answer: validate100, getDocument_answer: validate102, setDocumentRoute_answer: validate104, sendDocument_answer: validate106, approveDocument_answer: validate108, signDocument_answer: validate110, rejectDocument_answer: validate112, downloadDocument_answer: validate114, reserveFile_answer: validate117, confirmFile_answer: validate122, ingestRecords_answer: validate124, createWebhookEndpoint_answer: validate125, testWebhookEndpoint_answer: validate129, deleteWebhookEndpoint_answer: validate130, errorBody: validate131 };
})();
export const validators = {
  verifyApiKey: { parameters: bounded(requests.verifyApiKey_parameters), body: null, answer: answers.verifyApiKey_answer },
  listEmployees: { parameters: bounded(requests.listEmployees_parameters), body: null, answer: answers.listEmployees_answer },
  getEmployee: { parameters: bounded(requests.getEmployee_parameters), body: null, answer: answers.getEmployee_answer },
  listLoginMethods: { parameters: bounded(requests.listLoginMethods_parameters), body: null, answer: answers.listLoginMethods_answer },
  listDocumentTypes: { parameters: bounded(requests.listDocumentTypes_parameters), body: null, answer: answers.listDocumentTypes_answer },
  listDocumentCategories: { parameters: bounded(requests.listDocumentCategories_parameters), body: null, answer: answers.listDocumentCategories_answer },
  listDocumentTemplates: { parameters: bounded(requests.listDocumentTemplates_parameters), body: null, answer: answers.listDocumentTemplates_answer },
  getDocumentTemplate: { parameters: bounded(requests.getDocumentTemplate_parameters), body: null, answer: answers.getDocumentTemplate_answer },
  listDocuments: { parameters: bounded(requests.listDocuments_parameters), body: null, answer: answers.listDocuments_answer },
  createDocument: { parameters: bounded(requests.createDocument_parameters), body: bounded(requests.createDocument_body), answer: answers.createDocument_answer },
  getDocument: { parameters: bounded(requests.getDocument_parameters), body: null, answer: answers.getDocument_answer },
  setDocumentRoute: { parameters: bounded(requests.setDocumentRoute_parameters), body: bounded(requests.setDocumentRoute_body), answer: answers.setDocumentRoute_answer },
  sendDocument: { parameters: bounded(requests.sendDocument_parameters), body: bounded(requests.sendDocument_body), answer: answers.sendDocument_answer },
  approveDocument: { parameters: bounded(requests.approveDocument_parameters), body: bounded(requests.approveDocument_body), answer: answers.approveDocument_answer },
  signDocument: { parameters: bounded(requests.signDocument_parameters), body: bounded(requests.signDocument_body), answer: answers.signDocument_answer },
  rejectDocument: { parameters: bounded(requests.rejectDocument_parameters), body: bounded(requests.rejectDocument_body), answer: answers.rejectDocument_answer },
  downloadDocument: { parameters: bounded(requests.downloadDocument_parameters), body: null, answer: answers.downloadDocument_answer },
  reserveFile: { parameters: bounded(requests.reserveFile_parameters), body: bounded(requests.reserveFile_body), answer: answers.reserveFile_answer },
  confirmFile: { parameters: bounded(requests.confirmFile_parameters), body: bounded(requests.confirmFile_body), answer: answers.confirmFile_answer },
  ingestRecords: { parameters: bounded(requests.ingestRecords_parameters), body: bounded(requests.ingestRecords_body), answer: answers.ingestRecords_answer },
  createWebhookEndpoint: { parameters: bounded(requests.createWebhookEndpoint_parameters), body: bounded(requests.createWebhookEndpoint_body), answer: answers.createWebhookEndpoint_answer },
  testWebhookEndpoint: { parameters: bounded(requests.testWebhookEndpoint_parameters), body: bounded(requests.testWebhookEndpoint_body), answer: answers.testWebhookEndpoint_answer },
  deleteWebhookEndpoint: { parameters: bounded(requests.deleteWebhookEndpoint_parameters), body: null, answer: answers.deleteWebhookEndpoint_answer },
};
export { instantOf, isCalendarDay, isDay, isShownInstant };
export const errorBody = answers.errorBody;
