import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Verify {
    static final Pattern SIGNATURE = Pattern.compile("t=([0-9]{10,18}),v1=([0-9a-f]{64})");

    static boolean isGenuine(String secret, String header, byte[] rawBody) throws Exception {
        var parts = SIGNATURE.matcher(header);
        if (!parts.matches()) return false;
        if (System.currentTimeMillis() / 1000 - Long.parseLong(parts.group(1)) > 300) return false;
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update((parts.group(1) + ".").getBytes(StandardCharsets.UTF_8));
        return MessageDigest.isEqual(mac.doFinal(rawBody), HexFormat.of().parseHex(parts.group(2)));
    }
}
