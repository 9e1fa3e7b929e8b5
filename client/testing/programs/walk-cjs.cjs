const api = require('developer-api-client');
const node = require('developer-api-client/node');

import('./walk.mjs')
  .then(({ walk }) => walk(api, node, JSON.parse(process.env.GIVEN)))
  .then((result) => console.log(JSON.stringify(result)));
