# frozen_string_literal: true

# Receives Everpost's deliveries with WEBrick: gem install webrick. ../README.md says how to run it.

require 'openssl'
require 'webrick'

# The HMAC key is the whole string, including "whsec_".
SECRET = ENV.fetch('WEBHOOK_SECRET', '')
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
    # During a rotation of the secret, the second header is signed with the new one.
    genuine = %w[X-Webhook-Signature X-Webhook-Signature-Next].any? { |name| genuine?(body, request[name]) }
    return 'wrong signature' unless genuine
    # The signature covers the body, not the headers.
    return 'wrong event id' unless id && request['X-Webhook-ID'] == id

    'stale timestamp' unless recent?(request['X-Webhook-Timestamp'])
  end

  # Compares the whole header, including "sha256=", in constant time.
  def genuine?(body, header)
    expected = "sha256=#{OpenSSL::HMAC.hexdigest('SHA256', SECRET, body)}"
    OpenSSL.secure_compare(expected, header.to_s)
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
