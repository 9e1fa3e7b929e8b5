/** Clients from either file of the contract. */
const { CONTRACT_YAML, CONTRACT_JSON, BASE_URL: baseUrl } = process.env;
const clientOf = (input, folder) => ({
  input,
  output: { target: `./${folder}/client.ts`, schemas: `./${folder}/model`, client: 'fetch', baseUrl },
});

// biome-ignore lint/style/noDefaultExport: orval reads the default export.
export default { yaml: clientOf(CONTRACT_YAML, 'yaml'), json: clientOf(CONTRACT_JSON, 'json') };
