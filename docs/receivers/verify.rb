require 'openssl'

# raw_body: the bytes as they came, before any JSON parser.
def genuine?(secret, raw_body, signature)
  expected = "sha256=#{OpenSSL::HMAC.hexdigest('SHA256', secret, raw_body)}"
  given = signature.to_s
  given.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(expected, given)
end
