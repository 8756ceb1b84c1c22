// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import java.util.Map;

/** What a request asks of S3, told from its method, its path and its query. */
public enum S3Operation {
  GET_OBJECT,
  HEAD_OBJECT,
  PUT_OBJECT,
  DELETE_OBJECT,
  /** Several deletes in one request. */
  DELETE_OBJECTS,
  LIST_OBJECTS,
  CREATE_UPLOAD,
  UPLOAD_PART,
  COMPLETE_UPLOAD,
  ABORT_UPLOAD,
  /** Everything else, such as the requests about buckets. */
  OTHER;

  static S3Operation of(String method, boolean hasKey, Map<String, String> query) {
    if (!hasKey) {
      return ofBucket(method, query);
    }
    boolean upload = query.containsKey("uploadId");
    return switch (method) {
      case "GET" -> upload ? OTHER : GET_OBJECT;
      case "HEAD" -> HEAD_OBJECT;
      case "PUT" -> upload ? UPLOAD_PART : PUT_OBJECT;
      case "DELETE" -> upload ? ABORT_UPLOAD : DELETE_OBJECT;
      case "POST" ->
          upload ? COMPLETE_UPLOAD : query.containsKey("uploads") ? CREATE_UPLOAD : OTHER;
      default -> OTHER;
    };
  }

  private static S3Operation ofBucket(String method, Map<String, String> query) {
    if (method.equals("GET") && query.containsKey("list-type")) {
      return LIST_OBJECTS;
    }
    return method.equals("POST") && query.containsKey("delete") ? DELETE_OBJECTS : OTHER;
  }
}
