import * as api from 'developer-api-client';
import * as node from 'developer-api-client/node';
import { walk } from './walk.mjs';

console.log(JSON.stringify(await walk(api, node, JSON.parse(process.env.GIVEN))));
