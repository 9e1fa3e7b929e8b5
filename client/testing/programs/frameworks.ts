/** The receivers fit the types of the frameworks. */
import { expressWebhook, fastifyWebhook } from 'developer-api-client';
import express from 'express';
import Fastify from 'fastify';

const options = { secrets: 's', onEvent: () => {} };
Fastify().register(fastifyWebhook('/hooks', options));
express().post('/hooks', expressWebhook(options));
