import 'reflect-metadata';
import { Controller, Headers, HttpCode, Module, Post, Req, type RawBodyRequest } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createEverpost, verify } from 'everpost-client';

interface Order {
  readonly id: string;
}

const { EVERPOST_URL: baseUrl = '', EVERPOST_KEY: apiKey = '' } = process.env;
let secret = '';

@Controller()
class Hook {
  @Post()
  @HttpCode(204)
  receive(@Req() request: RawBodyRequest<object>, @Headers() headers: Record<string, string>): void {
    const { type, data } = verify<Order>({ secret, body: request.rawBody!, headers });
    console.log('verified', type, data.id);
    setImmediate(() => app.close());
  }
}

@Module({ controllers: [Hook] })
class Receiver {}

let app: Awaited<ReturnType<typeof start>>;

async function start() {
  return NestFactory.create(Receiver, { rawBody: true, logger: ['error'] });
}

async function main(): Promise<void> {
  app = await start();
  await app.listen(0);
  const { port } = app.getHttpServer().address();
  const everpost = createEverpost({ baseUrl, apiKey });
  ({ secret } = await everpost.endpoints.create({ url: `http://127.0.0.1:${port}/` }));
  const order: Order = { id: 'ord_42' };
  await everpost.events.send({ type: 'order.created', data: order });
}

void main();
