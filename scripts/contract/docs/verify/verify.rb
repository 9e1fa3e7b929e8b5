require 'openssl'

def genuine?(secret, header, raw_body)
  parts = /\At=([0-9]{10,}),v1=([0-9a-f]{64})\z/.match(header)
  return false if parts.nil? || Time.now.to_i - parts[1].to_i > 300
  expected = OpenSSL::HMAC.hexdigest('SHA256', secret, "#{parts[1]}.".b + raw_body.b)
  OpenSSL.fixed_length_secure_compare(expected, parts[2])
end
