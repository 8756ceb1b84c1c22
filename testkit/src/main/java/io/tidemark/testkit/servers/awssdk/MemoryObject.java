// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers.awssdk;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * One version of an object; never changed once stored.
 *
 * @param description what a GET of the whole object says of it
 * @param bytes its content
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never handed out
record MemoryObject(GetObjectResponse description, byte[] bytes) {

  /** The ETag without its quotes. */
  String etag() {
    return unquoted(description.eTag());
  }

  static String unquoted(String etag) {
    boolean quoted = etag.length() >= 2 && etag.startsWith("\"") && etag.endsWith("\"");
    return quoted ? etag.substring(1, etag.length() - 1) : etag;
  }

  /** Quoted, as S3 gives it. */
  static String etagOf(byte[] bytes) {
    return '"' + HexFormat.of().formatHex(md5().digest(bytes)) + '"';
  }

  static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has MD5", e);
    }
  }
}
