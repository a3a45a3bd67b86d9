import { createEverpost } from 'everpost-client';
import { kept } from '../secret';

interface Order {
  readonly id: string;
}

export const dynamic = 'force-dynamic';

/** Registers the receiver, and sends an event. */
export async function POST(request: Request): Promise<Response> {
  const { EVERPOST_URL: baseUrl = '', EVERPOST_KEY: apiKey = '' } = process.env;
  const everpost = createEverpost({ baseUrl, apiKey });
  const { secret } = await everpost.endpoints.create({ url: await request.text() });
  kept.secret = secret;
  const order: Order = { id: 'ord_42' };
  return Response.json(await everpost.events.send({ type: 'order.created', data: order }));
}
