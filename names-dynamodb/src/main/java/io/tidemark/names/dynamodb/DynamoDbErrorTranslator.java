// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.aws.internal.AwsFailures;
import io.tidemark.aws.internal.AwsFailures.Effect;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StorageFullException;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.StoreGoneException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.UnsupportedStoreException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/**
 * Translator of errors of the SDK to exceptions for the caller.
 *
 * <p>The question behind every line is whether a write may have been applied. An answer that
 * refuses a request settles it: it was not. An error of the server (5xx), silence and a broken
 * connection settle nothing, unless the request certainly never left.
 *
 * <table>
 * <caption>What becomes of what</caption>
 * <tr><th>the SDK reports</th><th>a read ends with</th><th>a write ends with</th></tr>
 * <tr><td>no credentials, denied access, an expired token</td><td colspan="2">{@link
 *     StoreAccessException}</td></tr>
 * <tr><td>a table of another schema</td><td colspan="2">{@link
 *     UnsupportedStoreException}</td></tr>
 * <tr><td>no such table or index</td><td colspan="2">{@link InvalidLocationException}, or {@link
 *     StoreGoneException} once the table has answered</td></tr>
 * <tr><td>throttling, a transaction in the way, no connection</td><td colspan="2">{@link
 *     StoreUnavailableException}</td></tr>
 * <tr><td>an item that would be too large</td><td colspan="2">{@link
 *     InvalidPayloadException}</td></tr>
 * <tr><td>5xx, a timeout, a broken connection, an interrupted thread</td><td>{@link
 *     StoreUnavailableException}</td><td>{@link OutcomeUnknownException}</td></tr>
 * <tr><td>anything else</td><td colspan="2">{@link StoreFailureException}</td></tr>
 * </table>
 *
 * <p>A condition that doesn't hold is an answer, not an error; it is looked at before.
 */
final class DynamoDbErrorTranslator {

  /** Refused because of something that passes. */
  private static final Set<String> PASSING =
      Set.of(
          "ProvisionedThroughputExceededException",
          "ProvisionedThroughputExceeded",
          "RequestLimitExceeded",
          "ThrottlingException",
          "ThrottlingError",
          "Throttling",
          "LimitExceededException",
          "TransactionConflictException",
          "TransactionConflict",
          "TransactionInProgressException",
          "ResourceInUseException");

  private static final Set<String> DENIED =
      Set.of(
          "AccessDeniedException",
          "AccessDenied",
          "UnrecognizedClientException",
          "MissingAuthenticationTokenException",
          "MissingAuthenticationToken",
          "IncompleteSignatureException",
          "IncompleteSignature",
          "InvalidSignatureException",
          "InvalidClientTokenId",
          "SignatureDoesNotMatch",
          "ExpiredTokenException",
          "ExpiredToken",
          "AccessDenied.KMS",
          "KMSAccessDeniedException");

  /** Denied because of how the request was signed. */
  private static final Set<String> BADLY_SIGNED =
      Set.of("InvalidSignatureException", "SignatureDoesNotMatch", "IncompleteSignatureException");

  /**
   * Fragments of the server's messages about a table that has another key, or that lacks the index.
   */
  private static final List<String> OF_ANOTHER_SCHEMA =
      List.of(
          "does not match the schema",
          "key schema",
          "key condition not supported",
          "conditions on the keys",
          "specified index",
          "required keys",
          "missing the key");

  private final DynamoDbSettings settings;
  private final TableRole use;
  private final BooleanSupplier seen;
  private final AwsFailures failures;

  /**
   * @param seen whether the table has answered at some time
   */
  DynamoDbErrorTranslator(DynamoDbSettings settings, TableRole use, BooleanSupplier seen) {
    this.settings = settings;
    this.use = use;
    this.seen = seen;
    this.failures = new AwsFailures("DynamoDB", settings.endpoint());
  }

  /** Returns whether a reason for cancelling a transaction passes by itself. */
  static boolean isPassing(String code) {
    return PASSING.contains(code);
  }

  /**
   * Translates any error.
   *
   * @param what verb and object of the request, as in "read mydb:main"
   */
  TidemarkException translate(String what, Effect effect, RuntimeException e) {
    return e instanceof AwsServiceException answer
        ? answered(what, effect, answer)
        : unanswered(what, effect, e);
  }

  /** A transaction was cancelled for good. */
  TidemarkException cancelled(String problem, AwsServiceException e) {
    if (aboutSchema(problem)) {
      return wrongSchema(problem, e);
    }
    return problem.toLowerCase(Locale.ROOT).contains("size")
        ? tooLarge(problem, e)
        : new StoreFailureException(problem + "; nothing was changed", e);
  }

  private static InvalidPayloadException tooLarge(String problem, AwsServiceException e) {
    return new InvalidPayloadException(
        problem
            + "; an item of DynamoDB holds at most 400 KB, keep a pointer instead of what is large",
        e);
  }

  private TidemarkException answered(String what, Effect effect, AwsServiceException e) {
    String code = AwsFailures.code(e);
    String problem = "can't " + what + ": " + failures.said(e);
    if (e instanceof ResourceNotFoundException) {
      return noSuchTable(e);
    }
    if (isPassing(code) || e.statusCode() == 429) {
      return new StoreUnavailableException(problem + "; nothing was changed, try again", e);
    }
    if (DENIED.contains(code) || e.statusCode() == 401 || e.statusCode() == 403) {
      // A server that can't verify a signature repeats what was signed, a session token included.
      return denied(problem, BADLY_SIGNED.contains(code) ? null : e);
    }
    if (code.startsWith("ItemCollectionSizeLimitExceeded")) {
      return new StorageFullException(problem + "; nothing was changed", e);
    }
    if (code.equals("ValidationException") && aboutSchema(problem)) {
      return wrongSchema(problem, e);
    }
    if (code.equals("ValidationException") && aboutSize(failures.said(e))) {
      return tooLarge(problem, e);
    }
    boolean refused = e.statusCode() >= 400 && e.statusCode() < 500;
    return refused
        ? new StoreFailureException(problem, e)
        : AwsFailures.inDoubt(what, effect, failures.said(e), e);
  }

  private TidemarkException unanswered(String what, Effect effect, RuntimeException e) {
    return failures
        .explained(what, effect, e)
        .orElseGet(() -> failures.unanswered(what, effect, e));
  }

  /** The table isn't there; what was there before is gone, and the location was right. */
  private TidemarkException noSuchTable(AwsServiceException e) {
    if (seen.getAsBoolean()) {
      return new StoreGoneException(
          "the table "
              + settings.table()
              + ", or its index, in "
              + settings.region()
              + " at "
              + failures.server()
              + " was there and is gone; restore it, or open "
              + settings.location()
              + " anew if it is meant to be empty",
          e);
    }
    return new InvalidLocationException(
        "there is no table "
            + settings.table()
            + ", or it lacks its index, in "
            + settings.region()
            + " at "
            + failures.server()
            + (use == TableRole.MIGRATED_FROM
                ? "; correct migrate-from, or leave it out"
                : "; create it, by create=true in the location say, or correct the location "
                    + settings.location()),
        e);
  }

  private StoreAccessException denied(String problem, @Nullable AwsServiceException e) {
    return new StoreAccessException(
        problem
            + "; check the credentials and that they allow "
            + use.actions()
            + " on the table "
            + settings.table()
            + use.additionalActions(),
        e);
  }

  private UnsupportedStoreException wrongSchema(String problem, AwsServiceException e) {
    return new UnsupportedStoreException(
        "the table " + settings.table() + " can't be used: " + problem + "; " + use.schema(), e);
  }

  private static boolean aboutSchema(String problem) {
    String text = problem.toLowerCase(Locale.ROOT);
    return OF_ANOTHER_SCHEMA.stream().anyMatch(text::contains);
  }

  private static boolean aboutSize(String said) {
    return said.toLowerCase(Locale.ROOT).contains("size");
  }
}
