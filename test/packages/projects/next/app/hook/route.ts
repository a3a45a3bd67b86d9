import { verify } from 'everpost-client';
import { kept } from '../secret';

export const dynamic = 'force-dynamic';

/** Receives the delivery. */
export async function POST(request: Request): Promise<Response> {
  const { type, data } = verify<{ id: string }>({
    secret: kept.secret ?? '',
    body: await request.text(),
    headers: request.headers,
  });
  console.log('verified', type, data.id);
  return new Response(null, { status: 204 });
}
