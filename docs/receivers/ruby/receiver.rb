# frozen_string_literal: true

# Receives Everpost's deliveries with WEBrick: gem install webrick. ../README.md says how to run it.

require 'openssl'
require 'webrick'

# The endpoint's whole signing secret.
SECRET = ENV.fetch('WEBHOOK_SECRET', '')
# Standard Webhooks: the HMAC key is what stands after "whsec_", decoded from base64.
KEY = SECRET.delete_prefix('whsec_').unpack1('m')
PORT = Integer(ARGV[0] || ENV.fetch('PORT', '8000'))
# 0 turns the check off.
TOLERANCE_SECONDS = Integer(ENV.fetch('TIMESTAMP_TOLERANCE_SECONDS', '300'))
# Everpost sends at most a little more than 256 KiB.
MAX_BODY_BYTES = 1024 * 1024

# Ids of the handled events. In your service this is a table with a unique column, written in the
# transaction that does the work. A table outlives the process, and all processes share it.
HANDLED = {} # rubocop:disable Style/MutableConstant
HANDLING = Mutex.new

# Answers POST at any path.
class Receiver < WEBrick::HTTPServlet::AbstractServlet
  def do_POST(request, response)
    body = read_body(request)
    # Everpost writes the id first, so nothing is parsed before the delivery is known to be genuine and new.
    id = body[/\A\{"id":(\d+),/, 1]
    reason = refusal(request, body, id)
    response['Content-Type'] = 'text/plain'
    if reason
      response.status = 401
      response.body = reason
    else
      handle(id)
      response.status = 204
    end
  end

  private

  # The exact bytes of the body.
  def read_body(request)
    body = String.new(encoding: Encoding::BINARY)
    request.body do |chunk|
      raise WEBrick::HTTPStatus::RequestEntityTooLarge if body.bytesize + chunk.bytesize > MAX_BODY_BYTES

      body << chunk
    end
    body
  end

  # Why the delivery is refused, or nil if it is accepted.
  def refusal(request, body, id)
    return 'wrong signature' unless genuine?(request, body)
    # The signature covers this time.
    return 'stale timestamp' unless recent?(request['webhook-timestamp'])

    'no event id' unless id
  end

  # Whether one of the signatures is right: of the id, the time and the body together, compared in constant time.
  def genuine?(request, body)
    signed = "#{request['webhook-id']}.#{request['webhook-timestamp']}.".b + body
    expected = "v1,#{[OpenSSL::HMAC.digest('SHA256', KEY, signed)].pack('m0')}"
    # During a rotation of the secret there are two signatures: one of the old secret and one of the new one.
    request['webhook-signature'].to_s.split.any? { |signature| OpenSSL.secure_compare(expected, signature) }
  end

  def recent?(header)
    return true if TOLERANCE_SECONDS.zero?

    header.to_s.match?(/\A\d+\z/) && (Time.now.to_i - header.to_i).abs <= TOLERANCE_SECONDS
  end

  # Does the work once for each event, however often it arrives. Raise to make Everpost retry.
  def handle(id)
    HANDLING.synchronize do
      # INSERT INTO handled_events (id) VALUES ($1) ON CONFLICT DO NOTHING: no new row means a repeat.
      next if HANDLED[id]

      puts "handled event #{id}"
      HANDLED[id] = true
    end
  end
end

abort 'Set WEBHOOK_SECRET to the signing secret of the endpoint.' if SECRET.empty?

$stdout.sync = true
log = WEBrick::Log.new($stderr, WEBrick::Log::WARN)
server = WEBrick::HTTPServer.new(BindAddress: '127.0.0.1', Port: PORT, Logger: log, AccessLog: [])
server.mount('/', Receiver)
%w[INT TERM].each { |signal| trap(signal) { server.shutdown } }
puts "listening on http://127.0.0.1:#{PORT}"
server.start
