// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers.awssdk;

import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.gaul.s3proxy.blobstore.SdkResponses;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.Part;

/** A multipart upload that was begun and neither completed nor aborted. */
final class MemoryUpload {

  /** What a completed upload becomes. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Assembled(String etag, byte[] bytes) {}

  private final CreateMultipartUploadRequest request;
  private final Instant initiated;
  private final NavigableMap<Integer, byte[]> parts = new ConcurrentSkipListMap<>();

  MemoryUpload(CreateMultipartUploadRequest request, Instant initiated) {
    this.request = request;
    this.initiated = initiated;
  }

  CreateMultipartUploadRequest request() {
    return request;
  }

  Instant initiated() {
    return initiated;
  }

  void put(int partNumber, byte[] bytes) {
    parts.put(partNumber, bytes);
  }

  List<Part> listed() {
    List<Part> listed = new ArrayList<>();
    parts.forEach(
        (number, bytes) ->
            listed.add(
                SdkResponses.part(
                    number, (long) bytes.length, MemoryObject.etagOf(bytes), initiated)));
    return listed;
  }

  /** Joins the named parts; the ETag is the MD5 of their MD5s and their number, as on S3. */
  Assembled assemble(List<CompletedPart> named) {
    MessageDigest digest = MemoryObject.md5();
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (CompletedPart part : named) {
      byte[] bytes = parts.get(part.partNumber());
      if (bytes == null) {
        throw new IllegalStateException("there is no part " + part.partNumber());
      }
      digest.update(MemoryObject.md5().digest(bytes));
      joined.writeBytes(bytes);
    }
    String etag = '"' + HexFormat.of().formatHex(digest.digest()) + "-" + named.size() + '"';
    return new Assembled(etag, joined.toByteArray());
  }
}
